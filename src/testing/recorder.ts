import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { homedir, hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Secret } from '../env/secrets.ts'
import { AgentError } from '../errors.ts'
import { type CheckedOptions, checkTurnOptions } from '../options/check.ts'
import type { Schema } from '../options/schema-types.ts'
import type { TurnOptions } from '../options/turn-options.ts'
import type { AgentEvent, CompletionEvent } from '../protocol/events.ts'
import { startTappedTurn } from '../run/turn.ts'
import { hideSecrets } from './hide-secrets.ts'
import {
  installDirectories,
  type Machine,
  neutralise,
  type Replaced,
  type Replacement,
  replacementsFor,
} from './neutral.ts'

export interface RecordOptions {
  /** The turn to run and record. `transport` is 'structured' unless it says 'live'. */
  turn: TurnOptions<Schema>
  /** Where the recording goes; made where missing. */
  directory: string
  /** The name of the case: `<name>.jsonl`, `<name>.stderr`, `<name>.exit.json`; `live-<name>` where it is live. */
  name: string
  /** More to replace, before anything but the secrets. */
  replacements?: Replacement[] | undefined
  /** Hears the turn's events as they come. */
  onEvent?: ((event: AgentEvent) => void) | undefined
}

export interface RecordResult {
  /** The file with the raw stdout. */
  path: string
  exit: { exitCode: number | null; signal: string | null }
  completion: CompletionEvent
  /** What was replaced in stdout and stderr, and how often. */
  replaced: Replaced[]
}

/**
 * Runs one turn and keeps the CLI's raw stdout, stderr and exit as a fixture: byte by byte, but for secrets and for what tells
 * whose machine it was (paths, the user's and the host's name). Secrets are taken out with `redact: false`, too.
 *
 * @throws AgentError as `startTurn` does, and with the completion's code where nothing could be started
 */
export async function record(options: RecordOptions): Promise<RecordResult> {
  const { directory, name } = options
  const turnOptions: TurnOptions<Schema> = {
    ...options.turn,
    transport: options.turn.transport ?? 'structured',
  }
  if (!/^[\w.-]+$/.test(name)) {
    throw new AgentError('invalid_options', `"${name}" is no name for a case.`, {
      hint: 'Use letters, digits, "-", "_" and ".".',
    })
  }
  const machine = await machineOf(checkTurnOptions(turnOptions))
  let secrets: readonly Secret[] = []
  let install: string[] = []
  const stdout: Uint8Array[] = []
  const stderr: Uint8Array[] = []
  let exit: RecordResult['exit'] | undefined
  const turn = startTappedTurn(turnOptions, {
    prepared: (started) => {
      secrets = started.secrets
      install = installDirectories([started.binary.file, ...started.binary.arguments])
    },
    stdout: (chunk) => stdout.push(Uint8Array.from(chunk)),
    stderr: (chunk) => stderr.push(Uint8Array.from(chunk)),
    exit: (end) => {
      exit = end
    },
  })
  for await (const event of turn) options.onEvent?.(event)
  const completion = await turn.completion
  if (!exit) {
    const { code = 'unknown', message = 'Nothing was started.', hint } = completion.error ?? {}
    throw new AgentError(code, message, hint === undefined ? {} : { hint })
  }
  const { exitCode, signal } = exit
  await mkdir(directory, { recursive: true })
  const isLive = turnOptions.transport === 'live' && !name.startsWith('live-')
  const base = join(directory, isLive ? `live-${name}` : name)
  const replacements = [...(options.replacements ?? []), ...replacementsFor({ ...machine, install })]
  const neutral = (chunks: Uint8Array[]) => {
    const hidden = hideSecrets(Buffer.concat(chunks), secrets)
    const { bytes, replaced } = neutralise(hidden.bytes, replacements)
    return { bytes, replaced: [...hidden.replaced, ...replaced] }
  }
  const out = neutral(stdout)
  const err = neutral(stderr)
  await writeFile(`${base}.jsonl`, out.bytes)
  await writeFile(`${base}.stderr`, err.bytes)
  await writeFile(`${base}.exit.json`, `${JSON.stringify({ exitCode, signal })}\n`)
  return {
    path: `${base}.jsonl`,
    exit: { exitCode, signal },
    completion,
    replaced: total([...out.replaced, ...err.replaced]),
  }
}

async function machineOf({ launch, environment }: CheckedOptions): Promise<Machine> {
  const base = environment ?? process.env
  return {
    home: base.HOME ?? homedir(),
    cwd: await realpath(launch.cwd).catch(() => launch.cwd),
    temporary: tmpdir(),
    user: base.USER ?? userName(),
    host: hostname(),
  }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // An account without an entry, as in some containers.
    return ''
  }
}

function total(replaced: readonly Replaced[]): Replaced[] {
  const sums = new Map<string, Replaced>()
  for (const each of replaced) {
    sums.set(each.what, { ...each, count: each.count + (sums.get(each.what)?.count ?? 0) })
  }
  return [...sums.values()]
}
