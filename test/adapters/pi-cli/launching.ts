import type { LaunchContext } from '../../../src/adapters/adapter.ts'
import { piCli } from '../../../src/adapters/pi-cli.ts'
import type { LaunchOptions } from '../../../src/options/turn-options.ts'

export const plain: LaunchOptions = {
  prompt: [{ type: 'text', text: 'Hello.' }],
  promptExpansion: false,
  cwd: '/w/project',
  systemPrompt: {},
  fork: false,
  approvals: 'deny',
  backgroundTasks: 'forbid',
  home: 'private',
  tools: { mode: 'native', deny: [], strict: false },
  mcpServers: {},
  projectConfiguration: 'ignore',
  projectInstructions: true,
  configuration: {},
  arguments: [],
}

export function launch(
  version: string,
  options: Partial<LaunchOptions> = {},
  context: Partial<LaunchContext> = {},
) {
  return piCli.structured.launch(
    { ...plain, ...options },
    { version, home: '/h', directory: '/h', platform: 'linux', isRoot: false, ...context },
  )
}
