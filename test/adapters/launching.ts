import type { LaunchOptions, LiveLaunchOptions } from '../../src/adapters/launch-options.ts'

/** What every launch gets where the caller chose nothing. */
export const plainLaunch: LaunchOptions = {
  prompt: [{ type: 'text', text: 'Hello.' }],
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
}

const { prompt: _, ...withoutPrompt } = plainLaunch

/** Of a process that is told its prompts later. */
export const plainLiveLaunch: LiveLaunchOptions = withoutPrompt
