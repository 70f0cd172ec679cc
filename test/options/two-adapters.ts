import { type AdapterDefinition, defineAdapter } from '../../src/adapters/adapter.ts'
import { type Capabilities, noCapabilities } from '../../src/adapters/capabilities.ts'
import { isAgentError } from '../../src/errors.ts'
import { checkTurnOptions } from '../../src/options/check.ts'

export const poor: Capabilities = {
  ...noCapabilities,
  reservedArguments: { '--model': 'model', '-m': 'model' },
}

export const rich: Capabilities = {
  ...poor,
  approvals: ['deny', 'auto', 'approve-all'],
  sandbox: ['read-only', 'workspace-write'],
  network: true,
  systemPrompt: { append: true, replace: true },
  effort: ['low', 'high'],
  images: true,
  resume: true,
  fork: true,
  endpoint: ['openai-responses', 'openai-chat'],
  backgroundTasks: ['forbid', 'wait'],
  projectConfiguration: ['ignore', 'trust'],
  withoutProjectInstructions: true,
  promptExpansion: true,
  configuration: true,
  reservedConfiguration: { model: 'model', 'sandbox.network': 'network' },
}

export function adapter(id: string, capabilities: Capabilities, changes: Partial<AdapterDefinition> = {}) {
  return defineAdapter({
    id,
    title: id,
    binary: [id],
    version: { floor: '1.0.0', tested: '2.0.0' },
    install: `npm install ${id}`,
    credentials: [{ name: 'api-key', variables: ['RICH_KEY'], billing: 'api' }],
    home: { variable: 'HOME_OF_IT', userDirectory: '.it', signIn: [], conversations: [] },
    capabilities,
    structured: {
      launch: () => ({ arguments: [], environment: {}, files: [], stdin: '', firstSignal: 'SIGTERM' }),
      wire: () => ({
        start: () => ({ events: [] }),
        receive: () => ({ events: [] }),
        end: () => ({ events: [] }),
      }),
    },
    ...changes,
  })
}

export const poorCli = adapter('poor-cli', poor)
export const richCli = adapter('rich-cli', rich)

export function fault(options: unknown): { code: string; message: string; hint: string | undefined } {
  try {
    checkTurnOptions(options)
  } catch (error) {
    if (isAgentError(error)) return { code: error.code, message: error.message, hint: error.hint }
    throw error
  }
  throw new Error('nothing was refused')
}
