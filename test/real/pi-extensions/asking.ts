/**
 * An extension of pi that asks a person before each command of the shell, as the command says: `confirm`, `select`, `input`,
 * `editor`, `several` at once, `timeout`. What was answered is what the model gets to read.
 */

interface Dialogs {
  select(title: string, options: string[], limits?: { timeout?: number }): Promise<string | undefined>
  confirm(title: string, message: string): Promise<boolean>
  input(title: string, placeholder?: string): Promise<string | undefined>
  editor(title: string, prefill?: string): Promise<string | undefined>
  notify(message: string, type?: 'info' | 'warning' | 'error'): void
  setStatus(key: string, text: string): void
}

interface Pi {
  on(
    event: 'tool_call',
    handler: (event: { input: { command: string } }, context: { ui: Dialogs }) => Promise<unknown>,
  ): void
  registerCommand(name: string, command: { description: string; handler(): Promise<void> }): void
}

export default function asking(pi: Pi): void {
  pi.registerCommand('shout', { description: 'Must never run by itself.', async handler() {} })
  pi.on('tool_call', async ({ input: { command } }, { ui }) => {
    ui.setStatus('asking', command)
    const answers = await ask(command.split(' ').at(-1) ?? '', ui)
    ui.notify(`answered: ${answers}`, 'warning')
    return answers === 'true' ? undefined : { block: true, reason: `answered: ${answers}` }
  })
}

async function ask(what: string, ui: Dialogs): Promise<string> {
  switch (what) {
    case 'confirm':
      return String(await ui.confirm('May it run?', 'It only says something.'))
    case 'select':
      return String(await ui.select('Which way?', ['port', 'starboard']))
    case 'input':
      return String(await ui.input('How far?', 'miles'))
    case 'editor':
      return String(await ui.editor('What to log?', 'All is well.'))
    case 'several':
      return String(await Promise.all([ui.confirm('One?', ''), ui.input('Two?'), ui.select('Three?', ['3'])]))
    case 'timeout':
      return String(await ui.select('Quick?', ['yes'], { timeout: 200 }))
    default:
      return 'true'
  }
}
