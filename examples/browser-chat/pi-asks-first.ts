// pi itself asks before nothing: every tool runs. This extension of its has it ask a person. Put it into .pi/extensions of a project,
// and give the session projectConfiguration: 'trust'.

interface Dialogs {
  confirm(title: string, message: string): Promise<boolean>
  select(title: string, options: string[]): Promise<string | undefined>
}

interface Pi {
  on(
    event: 'tool_call',
    handler: (
      event: { toolName: string; input: Record<string, unknown> },
      context: { ui: Dialogs },
    ) => Promise<{ block: boolean; reason: string } | undefined>,
  ): void
}

const harmless = new Set(['pwd', 'ls'])

export default function asksFirst(pi: Pi): void {
  pi.on('tool_call', async ({ toolName, input }, { ui }) => {
    const command = typeof input.command === 'string' ? input.command : undefined
    if (toolName !== 'bash' || command === undefined || harmless.has(command)) return undefined
    if (command === 'echo which port') {
      // The demo's question: pi's model has no tool to ask with.
      const port = await ui.select('Which port shall we call at?', ['Bergen', 'Kiel'])
      return { block: true, reason: port ?? 'No answer.' }
    }
    const isAllowed = await ui.confirm('Run this command?', command)
    return isAllowed ? undefined : { block: true, reason: 'The user denied this.' }
  })
}
