import type { LaunchContext } from '../../../src/adapters/adapter.ts'
import type { LaunchOptions } from '../../../src/options/turn-options.ts'

export function launchOptions(options: Partial<LaunchOptions> = {}): LaunchOptions {
  return {
    prompt: [{ type: 'text', text: 'Sail.' }],
    promptExpansion: false,
    cwd: '/w',
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
    ...options,
  }
}

export function launchContext(context: Partial<LaunchContext> = {}): LaunchContext {
  return {
    version: '2026.09.15-d2fe57e',
    home: '/homes/1',
    directory: '/homes/1',
    platform: 'linux',
    isRoot: false,
    ...context,
  }
}
