import { Output } from './output.ts'

export type Interrupt = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** Everything of the process that a command may touch. */
export interface Io {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
  stdout: NodeJS.WritableStream & { isTTY?: boolean }
  stderr: NodeJS.WritableStream & { isTTY?: boolean }
  environment: Readonly<Record<string, string | undefined>>
  /** Calls back each time that the user wants out: Ctrl-C, or a polite kill. Returns how to stop that. */
  onInterrupt(listener: (signal: Interrupt) => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
}

export interface Screen {
  io: Io
  out: Output
  err: Output
}

export function screenOf(io: Io): Screen {
  return {
    io,
    out: new Output(io.stdout, io.environment),
    err: new Output(io.stderr, io.environment),
  }
}

/** What every command ends with; `coxswain --help` lists them. */
export const exitCodes = {
  success: 0,
  /** The turn ended with an error, or what was to be checked does not hold. */
  error: 1,
  /** The command line, or an option in it, is wrong: nothing was started. */
  usage: 2,
  interrupted: 3,
  timeout: 4,
} as const
