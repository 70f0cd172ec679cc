import { EventEmitter } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { Io } from '../../src/cli/io.ts'
import { main } from '../../src/cli/main.ts'
import { type FakeStep, fakeCli } from '../../src/testing.ts'

export interface Ran {
  code: number
  out: string
  err: string
}

export interface TerminalOptions {
  stdin?: string
  environment?: Record<string, string>
  isTerminal?: boolean
  /** Called with everything that stdout has so far. */
  onOut?: (out: string, terminal: { interrupt(): void; close(why?: string): void }) => void
}

/** Not below the temporary directory, where no private home is ever made: the user's own state would be used instead. */
export function scratchFolder(name: string): string {
  const root = join(import.meta.dirname, '../../.cache')
  mkdirSync(root, { recursive: true })
  return mkdtempSync(join(root, `cli-${name}-`))
}

/** Runs the command with streams of our own. */
export async function coxswain(argv: string[], options: TerminalOptions = {}): Promise<Ran> {
  const { stdin, environment = {}, isTerminal = false, onOut } = options
  const home = scratchFolder('home')
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const interrupts = new EventEmitter()
  const written = { out: '', err: '' }
  let exit: number | undefined
  const stdout = sink((text) => {
    written.out += text
    onOut?.(written.out, {
      interrupt: () => interrupts.emit('interrupt', 'SIGINT'),
      close: (why = 'EPIPE') => stdout.destroy(Object.assign(new Error(`write ${why}`), { code: why })),
    })
  })
  const io: Io = {
    stdin: Object.assign(Readable.from([stdin ?? '']), { isTTY: stdin === undefined }),
    stdout: Object.assign(stdout, { isTTY: isTerminal }),
    stderr: Object.assign(
      sink((text) => {
        written.err += text
      }),
      { isTTY: isTerminal },
    ),
    environment: { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, 'state'), ...environment },
    onInterrupt(listener) {
      interrupts.on('interrupt', listener)
      return () => interrupts.off('interrupt', listener)
    },
    exit: (code) => {
      exit = code
    },
  }
  const code = await main(argv, io)
  return { code: exit ?? code, ...written }
}

function sink(take: (text: string) => void): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      take(String(chunk))
      done()
    },
  })
}

/** The flags that have `run codex-cli` start a fake one that does this, on its one-shot transport. */
export async function fakeCodex(...steps: FakeStep[]): Promise<string[]> {
  const cli = await fakeCli({ version: 'codex-cli 0.171.0', steps })
  onTestFinished(() => cli.remove())
  return ['--transport=structured', ...cli.binary.map((word) => `--binary=${word}`)]
}

export const started = { type: 'thread.started', thread_id: '019fee32-d4af-78d3-9ec9-0e59b10baf60' }
export const turnStarted = { type: 'turn.started' }
export const said = (text: string, id = 'item_1') => ({
  type: 'item.completed',
  item: { id, type: 'agent_message', text },
})
export const completed = {
  type: 'turn.completed',
  usage: { input_tokens: 20, cached_input_tokens: 10, output_tokens: 5, reasoning_output_tokens: 0 },
}
export const failed = (message: string) => ({ type: 'turn.failed', error: { message } })
export const shellCall = [
  {
    type: 'item.started',
    item: { id: 'item_0', type: 'command_execution', command: 'ls', status: 'in_progress' },
  },
  {
    type: 'item.completed',
    item: {
      id: 'item_0',
      type: 'command_execution',
      command: 'ls',
      aggregated_output: 'no such file',
      exit_code: 2,
      status: 'failed',
    },
  },
]

export const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

export const good = [started, turnStarted, ...shellCall, said('All well.'), completed]
