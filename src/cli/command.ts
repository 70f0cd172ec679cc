import type { CommandLine, Flag } from './flags.ts'
import type { Screen } from './io.ts'

export interface Command {
  usage: string
  /** One line. */
  about: string
  /** More, for the command's own help. */
  details?: readonly string[]
  flags: readonly Flag[]
  run(line: CommandLine, screen: Screen): Promise<number>
}
