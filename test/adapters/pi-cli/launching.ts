import type { LaunchContext } from '../../../src/adapters/adapter.ts'
import { piCli } from '../../../src/adapters/pi-cli.ts'
import type { LaunchOptions } from '../../../src/options/turn-options.ts'
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
