import { AgentError, shortened } from '../errors.ts'
import type { LiveLaunchOptions } from './launch-options.ts'

interface NamingRules {
  /** The CLI's id, for people. */
  cli: string
  /** What the CLI calls a server's tool before the model. */
  nameOf(server: string, tool: string): string
  /** More characters than that no name may have. Absent: the CLI shortens it by itself. */
  most?: number
}

/**
 * Refuses what a CLI would lose in silence: of two tools with one name it offers the model one, and of a name that is too long none.
 *
 * @throws AgentError `invalid_options`, naming the tools
 */
export function refuseToolNames(
  mcpServers: LiveLaunchOptions['mcpServers'],
  { cli, nameOf, most }: NamingRules,
): void {
  const listed = Object.entries(mcpServers).flatMap(([server, { tools, hidden }]) =>
    [...tools, ...hidden].map((tool, index) => ({
      tool: `${server}/${shortened(tool)}`,
      name: nameOf(server, tool),
      isOffered: index < tools.length,
    })),
  )
  const byName = new Map<string, (typeof listed)[number]>()
  for (const each of listed) {
    const { tool, name, isOffered } = each
    if (isOffered && most !== undefined && name.length > most) {
      throw new AgentError(
        'invalid_options',
        `The tool ${tool} has too long a name for ${cli}: ${name.length} characters with that of its server, of at most ${most}.`,
        { hint: 'Give the tool or its server a shorter name, or leave it out with `tools.deny`.' },
      )
    }
    const twin = byName.get(name)
    if (twin && (isOffered || twin.isOffered)) {
      throw new AgentError(
        'invalid_options',
        `${cli} cannot tell the tools ${twin.tool} and ${tool} apart: both are ${shortened(name)} to its model.`,
        { hint: 'Give one of them another name.' },
      )
    }
    byName.set(name, each)
  }
}
