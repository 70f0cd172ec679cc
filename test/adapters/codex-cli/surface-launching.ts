import { parse } from 'smol-toml'
import type { LaunchContext } from '../../../src/adapters/adapter.ts'
import { codexCli } from '../../../src/adapters/codex-cli.ts'
import type {
  LaunchMcpServer,
  LaunchOptions,
  LiveLaunchOptions,
  ToolPolicy,
} from '../../../src/adapters/launch-options.ts'

import { plainLaunch } from '../launching.ts'

export const http: LaunchMcpServer = {
  type: 'http',
  url: 'http://127.0.0.1:7/s/1/mcp',
  headers: { Authorization: 'Bearer secret-token', 'X-Crew': 'secret-crew' },
  tools: ['sing', 'row'],
  hidden: ['drink'],
}

export const plain: LaunchOptions = {
  ...plainLaunch,
  tools: { mode: 'mcp_only', deny: [], strict: false },
  mcpServers: { bridge: http },
}

export const policy = (mode: ToolPolicy['mode'], rest: Partial<ToolPolicy> = {}): ToolPolicy => ({
  mode,
  deny: [],
  strict: false,
  ...rest,
})

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

export function live(version: string, options: Partial<LiveLaunchOptions> = {}) {
  const { prompt, ...rest } = plain
  const started = codexCli.live?.launch(
    { ...rest, ...options },
    { version, home: '/h', directory: '/h', platform: 'linux', isRoot: false },
  )
  if (!started) throw new Error('codex has a live transport')
  return started
}

export const settingsIn = ({ files }: { files: { path: string; content: string }[] }) =>
  parse(files.find(({ path }) => path === 'config.toml')?.content ?? '')
