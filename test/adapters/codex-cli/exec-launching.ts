import { parse } from 'smol-toml'
import type { LaunchContext } from '../../../src/adapters/adapter.ts'
import { codexCli } from '../../../src/adapters/codex-cli.ts'
import type { LaunchOptions } from '../../../src/adapters/launch-options.ts'
import { plainLaunch } from '../launching.ts'

export const plain: LaunchOptions = { ...plainLaunch, cwd: '/w/project' }

export function launch(
  version: string,
  options: Partial<LaunchOptions> = {},
  context: Partial<LaunchContext> = {},
) {
  return codexCli.structured.launch(
    { ...plain, ...options },
    { version, home: '/h', directory: '/h', platform: 'linux', isRoot: false, ...context },
  )
}

/** The generated configuration without what every one has. */
export function settings(
  version: string,
  options: Partial<LaunchOptions> = {},
  context: Partial<LaunchContext> = {},
) {
  const file = launch(version, options, context).files.find(({ path }) => path === 'config.toml')
  const { check_for_update_on_startup, skills, features, shell_environment_policy, ...rest } = parse(
    file?.content ?? '',
  )
  return rest
}

export const inUserHome = { home: undefined, directory: '/t' }

export const untrusted =
  '{ "/w/project" = { "trust_level" = "untrusted" }, "/w" = { "trust_level" = "untrusted" }, "/" = { "trust_level" = "untrusted" } }'
