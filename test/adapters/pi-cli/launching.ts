import type { LaunchContext } from '../../../src/adapters/adapter.ts'
import type { LaunchOptions } from '../../../src/adapters/launch-options.ts'
import { piCli } from '../../../src/adapters/pi-cli.ts'
import { plainLaunch } from '../launching.ts'

export const plain: LaunchOptions = { ...plainLaunch, cwd: '/w/project' }

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

export const always = ['--print', '--mode', 'json', '--no-extensions', '--no-skills', '--no-prompt-templates']
export const kept = ['--session-dir', '/h/sessions/--w-project--']

export const versions = ['0.63.2', '0.73.1', '0.85.1', '1.6.0', 'unknown'] as const
export const newer = ['0.85.1', '1.6.0', 'unknown'] as const
export const older = ['0.63.2', '0.73.1'] as const
