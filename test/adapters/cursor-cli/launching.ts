import type { LaunchContext } from '../../../src/adapters/adapter.ts'
import type { LaunchOptions } from '../../../src/adapters/launch-options.ts'
import { plainLaunch } from '../launching.ts'

export function launchOptions(options: Partial<LaunchOptions> = {}): LaunchOptions {
  return { ...plainLaunch, prompt: [{ type: 'text', text: 'Sail.' }], ...options }
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
