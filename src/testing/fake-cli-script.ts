/** A line of stdout: a string as it is, an object as JSON. `JSON.stringify` leaves U+2028 raw. */
export type FakeLine = string | object

/**
 * How output is cut into writes: 'lines', after every newline; 'inside-characters', at every byte inside of a UTF-8 character; a
 * number, into pieces of so many bytes; a list, at these byte positions. Default: not at all.
 */
export type FakeChunks = 'lines' | 'inside-characters' | number | readonly number[]

/** What a fake CLI does, one thing after the other. A string is `{ print: string }`. */
export type FakeStep =
  | string
  | {
      /** Several lines are one write, so that a cut can go across them. */
      print: FakeLine | readonly FakeLine[]
      /** Prints it so many times. Default 1. */
      times?: number | undefined
      newline?: '\n' | '\r\n' | undefined
      /** false: the last line ends without a newline. */
      lastNewline?: boolean | undefined
      /** Only so many bytes of it: a line cut in the middle. */
      keepBytes?: number | undefined
      chunks?: FakeChunks | undefined
    }
  /** Bytes that need not be text, in base64, without a newline. */
  | { base64: string; chunks?: FakeChunks }
  /** One line of so many times 'x', with text around it. */
  | { oversized: { bytes: number; before?: string; after?: string } }
  | { stderr: string; times?: number }
  /** Prints a record `{ type: 'fake_cli', ... }` of what the child got. `stdin` is known after `waitFor: 'stdin-end'`. */
  | { tell: readonly ('pid' | 'argv' | 'cwd' | 'env' | 'stdin')[] }
  /** A line in the log, for `FakeCli.seen('said', name)`. */
  | { say: string }
  /** 'stdin-end'; 'stdin-line', each time another one; any other word: until `FakeCli.go(word)`. */
  | { waitFor: 'stdin-end' | 'stdin-line' | (string & {}) }
  | { waitMs: number }
  /** Closes stdout and lives on. */
  | { closeStdout: true }
  | { grandchild: FakeGrandchild }
  /** Does nothing any more, and does not go. */
  | { linger: true }
  /** Dies of that signal. */
  | { kill: NodeJS.Signals }
  | { exit: number }

/** A process that outlives the fake CLI, which goes on as soon as it is up. It ends with `FakeCli.remove()`. */
export interface FakeGrandchild {
  /** Default true: it holds the stdout pipe. */
  holdsStdout?: boolean | undefined
  /** Default false. true: a session, and so a process group, of its own. */
  ownSession?: boolean | undefined
  /** Default false. true: it has none of the CLI's variables, so that no mark in the environment finds it. */
  bareEnvironment?: boolean | undefined
  ignoreSignals?: readonly NodeJS.Signals[] | undefined
  /** Printed on the stdout that it holds. */
  lateLine?: FakeLine | undefined
  /** When: as soon as the CLI has exited ('parent-gone', the default), or upon `FakeCli.go(word)`. */
  lateAfter?: 'parent-gone' | (string & {}) | undefined
}

export interface FakeCliScript {
  /** After the last step it exits with 0. */
  steps: readonly FakeStep[]
  /** What it prints when asked. Default '1.0.0'. */
  version?: string | undefined
  /** How it is asked. Default ['--version']. */
  versionArguments?: readonly string[] | undefined
  /** 'read', the default: all of it, while the steps go on. 'ignore': none of it, ever. 'close': it is closed at once. */
  stdin?: 'read' | 'ignore' | 'close' | undefined
  /** Noted in the log and then ignored. */
  ignoreSignals?: readonly NodeJS.Signals[] | undefined
  /** Default '\n'. */
  newline?: '\n' | '\r\n' | undefined
  /** For every `print` that does not say otherwise. */
  chunks?: FakeChunks | undefined
  /** Between two chunks, in milliseconds, so that a reader gets them one by one. Default 2. */
  paceMs?: number | undefined
}
