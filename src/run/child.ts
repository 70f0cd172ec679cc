import { closeSync, openSync } from 'node:fs'
import { type Readable, Writable } from 'node:stream'
import { execa } from 'execa'
import { AgentError, wordsOf } from '../errors.ts'
import { signalProcess } from './processes.ts'

export interface ChildCommand {
  /** Absolute. */
  file: string
  arguments: readonly string[]
  cwd: string
  /** The whole environment: nothing is added to it. */
  environment: Readonly<Record<string, string>>
  /** Written to stdin, which is then closed. Absent: it stays open for `write`. */
  stdin?: string
  /** What the child reads from descriptors of its own, 3 and up, each closed behind it. */
  pipes?: readonly string[]
}

/** The descriptor of the first of `pipes`. */
export const firstPipe = 3

export interface ChildExit {
  exitCode: number | null
  signal: string | null
}

/** A running child, the leader of a process group of its own. */
export interface Child {
  pid: number
  /** Nobody reads them yet: attach before the next tick. */
  stdout: Readable
  stderr: Readable
  /** The process is over; its output may not be. */
  exited: Promise<ChildExit>
  /** stdout and stderr have ended. Something else may hold them open long after the exit. */
  closed: Promise<void>
  /** false once the process is over. */
  isRunning(): boolean
  /** Onto its stdin. What it does not read waits, see `unread`. */
  write(text: string): void
  /** Bytes that wait for it to read them. */
  readonly unread: number
  /** Closes its stdin. */
  endInput(): void
  /** Signals its whole group, as long as the process lives. */
  signal(signal: NodeJS.Signals): void
  /** Lets go of the pipes. */
  release(): void
}

/** Starts a child. Throws AgentError `not_executable` or `spawn_failed`, also for what spawn() itself throws (E2BIG). */
export async function startChild(command: ChildCommand): Promise<Child> {
  const { pipes = [] } = command
  const fault = findFileShortage()
  if (fault) throw spawnError(fault, command)
  const subprocess = execa(command.file, command.arguments, {
    cwd: command.cwd,
    env: { ...command.environment },
    extendEnv: false,
    detached: true,
    cleanup: false,
    buffer: false,
    reject: false,
    stripFinalNewline: false,
    stdio: ['pipe', 'pipe', 'pipe', ...pipes.map(() => 'pipe' as const)],
  })
  const { pid, stdin, stdout, stderr } = subprocess
  if (pid === undefined) throw spawnError((await subprocess).cause, command)
  // A child that ends before it has read all of its prompt: its exit is the story, not the broken pipe.
  stdin.on('error', () => {})
  stdout.on('error', () => {})
  stderr.on('error', () => {})

  let running = true
  const exited = new Promise<ChildExit>((resolve) => {
    subprocess.once('exit', (exitCode, signal) => {
      running = false
      resolve({ exitCode, signal })
    })
  })
  const closed = Promise.all([stdout, stderr].map(ended)).then(() => {})
  if (command.stdin !== undefined) stdin.end(command.stdin)
  const further = pipes.map((value, index) => write(subprocess.stdio[firstPipe + index], value))
  return {
    pid,
    stdout,
    stderr,
    exited,
    closed,
    isRunning: () => running,
    write: (text) => {
      if (stdin.writable) stdin.write(text)
    },
    get unread() {
      return stdin.writableLength
    },
    endInput: () => stdin.end(),
    signal: (signal) => {
      if (running) signalProcess(-pid, signal)
    },
    release: () => {
      for (const stream of [stdin, stdout, stderr, ...further]) stream?.destroy()
    },
  }
}

function write(stream: unknown, value: string): Writable | undefined {
  if (!(stream instanceof Writable)) return undefined
  // A child that never reads it, or ends before it does: what it says of that is the story.
  stream.on('error', () => {})
  stream.end(value)
  return stream
}

/** What three pipes and their starting take, with some to spare. */
const neededFiles = 16

/** Where a process can open no more files, execa 9.6.1 leaves the child's 'error' unheard, which ends the host: look first. */
function findFileShortage(): unknown {
  const files: number[] = []
  try {
    while (files.length < neededFiles) files.push(openSync('/dev/null', 'r'))
    return undefined
  } catch (error) {
    return error
  } finally {
    for (const file of files) closeSync(file)
  }
}

function ended(stream: Readable): Promise<void> {
  return new Promise((resolve) => stream.once('close', resolve))
}

function spawnError(cause: unknown, command: ChildCommand): AgentError {
  const code = errnoOf(cause)
  const message = `${command.file} could not be started: ${code ?? wordsOf(cause)}.`
  if (code === 'EACCES' || code === 'ENOEXEC') {
    return new AgentError('not_executable', message, {
      hint: 'Check that the file may be executed (chmod +x) and was built for this machine.',
      cause,
    })
  }
  if (code === 'ENOENT') {
    return new AgentError('not_executable', message, {
      hint: 'Check the interpreter that its first line names.',
      cause,
    })
  }
  const hint =
    code === 'E2BIG'
      ? 'The arguments and the environment are too long together: shorten `arguments`, `configuration` or the environment.'
      : 'The system refused a new process: look at its limits (ulimit -u, -n) and its memory.'
  return new AgentError('spawn_failed', message, { hint, cause })
}

function errnoOf(cause: unknown): string | undefined {
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return undefined
  // Node's own codes say less than its messages.
  return typeof cause.code === 'string' && !cause.code.startsWith('ERR_') ? cause.code : undefined
}
