import { createRequire } from 'node:module'
import { isAgentError } from '../errors.ts'
import { closestName } from '../options/closest.ts'
import { chatCommand, chatFlags } from './chat-command.ts'
import type { Command } from './command.ts'
import { demoCommand, demoFlags } from './demo-command.ts'
import { doctorCommand, doctorFlags } from './doctor-command.ts'
import { envCommand, envFlags } from './env-command.ts'
import { inFlags } from './flag-words.ts'
import { parseCommandLine, UsageError } from './flags.ts'
import { exitCodeOf } from './follow-turn.ts'
import { commandHelp, generalHelp } from './help.ts'
import { exitCodes, type Io, type Screen, screenOf } from './io.ts'
import { matrixCommand, matrixFlags } from './matrix-command.ts'
import { recordCommand, recordFlags } from './record-command.ts'
import { replayCommand, replayFlags } from './replay-command.ts'
import { runCommand, runFlags } from './run-command.ts'

const commands: Readonly<Record<string, Command>> = {
  run: {
    usage: 'run ADAPTER [PROMPT]',
    about: 'run one turn and show it as it streams',
    details: [
      'Without PROMPT, or with "-", the prompt comes from stdin.',
      'On a terminal everything is shown as it streams. Elsewhere stdout gets the messages of the answer,',
      'each when it is final, and stderr the rest.',
    ],
    flags: runFlags,
    run: runCommand,
  },
  chat: {
    usage: 'chat ADAPTER',
    about: 'talk with a CLI, turn after turn, in one session',
    details: [
      'What it asks is asked here, with numbers to choose from. Type while it works to steer it: what became of',
      'that is said (delivered, queued as a turn of its own, or rejected). Alt-Enter breaks the line.',
      'Esc or Ctrl-C interrupts the turn; Ctrl-D, or Ctrl-C with nothing running, leaves.',
      '',
      'Without a terminal (a pipe or a file on stdin or stdout) every line of stdin is a prompt, one after the',
      'other; nothing is asked (see --approvals), and stdout gets the messages of the answers alone.',
      'Exit code 0 says that it was left, and without a terminal that every turn succeeded; otherwise it is the',
      "first failed turn's. 1 also says that the CLI could not be started, or was gone.",
    ],
    flags: chatFlags,
    run: chatCommand,
  },
  replay: {
    usage: 'replay ADAPTER FILE...',
    about: 'turn recorded stdout into events, or check the guarantees over it',
    details: [
      'Beside <case>.jsonl, <case>.exit.json or <case>.exit and <case>.stderr are read. A folder is searched',
      'with the folders below it; what is not of this adapter is skipped. "-" is stdin.',
      'The exit code tells only whether it could be replayed; with --check, whether every guarantee holds.',
    ],
    flags: replayFlags,
    run: replayCommand,
  },
  record: {
    usage: 'record ADAPTER CASE [PROMPT]',
    about: 'run one turn and keep its raw output as a fixture, without secrets',
    details: ['Writes <case>.jsonl, <case>.stderr and <case>.exit.json, and says what it replaced in them.'],
    flags: recordFlags,
    run: recordCommand,
  },
  doctor: {
    usage: 'doctor [ADAPTER...]',
    about: 'per CLI: is it there, tested, signed in, and what are its limits',
    details: ['With adapters named, exit code 1 says that one of them cannot be used.'],
    flags: doctorFlags,
    run: doctorCommand,
  },
  env: {
    usage: 'env ADAPTER',
    about: 'which variables the CLI would see, and by which rule; names only',
    flags: envFlags,
    run: envCommand,
  },
  demo: {
    usage: 'demo [ADAPTER...]',
    about: 'drive the CLIs through one tool turn, without an account',
    flags: demoFlags,
    run: demoCommand,
  },
  matrix: {
    usage: 'matrix',
    about: 'measure what each CLI does on each transport: tools, streaming, steering, interrupts, answers',
    details: [
      'Each CLI runs a tool that writes a file, with a model server on the loopback address in the place of its model.',
      'What passes is decided by the file, by what the model got to read, and by the guarantees over the events; never',
      'by what the CLI says. What could not run is no pass, and says why. Exit code 0: something ran, and all that ran passed.',
    ],
    flags: matrixFlags,
    run: matrixCommand,
  },
}

/** The `coxswain` command. Resolves with the exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const screen = screenOf(io)
  const { out, err } = screen
  try {
    const code = await dispatch(argv, screen)
    const fault = await out.finish()
    if (fault === undefined) return code
    await err.line(`${err.style.red('coxswain:')} The output could not be written: ${fault}.`)
    return exitCodes.error
  } catch (error) {
    const red = err.style.red('coxswain:')
    if (error instanceof UsageError || isAgentError(error)) {
      await err.line(`${red} ${inFlags(error.message)}`)
      if (error.hint !== undefined) await err.line(`  ${inFlags(error.hint)}`)
      return isAgentError(error) ? exitCodeOf(error) : exitCodes.usage
    }
    if (out.gone) return exitCodes.interrupted
    await err.line(`${red} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    return exitCodes.error
  }
}

async function dispatch(argv: readonly string[], screen: Screen): Promise<number> {
  const { out } = screen
  const [word, ...rest] = argv
  const asked = word === 'help' ? rest[0] : word
  if (word === '--version' || word === '-V' || word === 'version') {
    await out.line(packageVersion())
    return exitCodes.success
  }
  if (asked === undefined || asked === '--help' || asked === '-h') {
    const output = word === undefined ? screen.err : out
    for (const line of generalHelp(commands, output.style)) await output.line(line)
    return word === undefined ? exitCodes.usage : exitCodes.success
  }
  const command = Object.hasOwn(commands, asked) ? commands[asked] : undefined
  if (!command) {
    if (asked.startsWith('-')) throw new UsageError(`There is no flag ${asked} here.`, 'See coxswain --help.')
    const closest = closestName(asked, Object.keys(commands))
    throw new UsageError(
      `There is no command "${asked}".`,
      closest === undefined ? 'See coxswain --help.' : `Did you mean "coxswain ${closest}"?`,
    )
  }
  if (word === 'help' || isHelp(rest)) {
    for (const line of commandHelp(command, out.style)) await out.line(line)
    return exitCodes.success
  }
  return command.run(parseCommandLine(rest, command.flags), screen)
}

function isHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? argv.length : end).some((word) => word === '--help' || word === '-h')
}

/** From package.json, which lies as far above src/cli as above nothing else; dist is one level nearer. */
function packageVersion(): string {
  const require = createRequire(import.meta.url)
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const { name, version } = require(path)
      if (name === 'coxswain') return version
    } catch {
      // Not there: the other one.
    }
  }
  return 'unknown'
}
