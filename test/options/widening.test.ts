import { describe, expect, it } from 'vitest'
import { checkTurnOptions } from '../../src/options/check.ts'
import type { TurnOptions } from '../../src/options/turn-options.ts'

const mcpServers = { shop: { type: 'http' as const, url: 'http://127.0.0.1:9/mcp' } }
type Own = Pick<TurnOptions, 'configuration' | 'arguments'>

const check = (adapter: string, mode: 'hybrid' | 'mcp_only', own: Own) => () =>
  checkTurnOptions({ adapter, prompt: 'x', mcpServers, tools: { mode }, ...own })

describe("what decides on a CLI's own tools is refused by name in mcp_only, and nowhere else", () => {
  it.each<[string, Own, string]>([
    // Each of the next four brought tools to the model of 0.171.0 in mcp_only.
    ['codex-cli', { configuration: { features: { multi_agent_v2: true } } }, 'features.multi_agent_v2'],
    ['codex-cli', { configuration: { features: { memories: true } } }, 'features.memories'],
    ['codex-cli', { configuration: { features: { token_budget: true } } }, 'features.token_budget'],
    [
      'codex-cli',
      { configuration: { features: { executor_capability_discovery_v2: true } } },
      'features.executor_capability_discovery_v2',
    ],
    // These were taken back without a word.
    ['codex-cli', { configuration: { features: { goals: true } } }, 'features.goals'],
    ['codex-cli', { configuration: { web_search: 'live' } }, 'web_search'],
    ['codex-cli', { configuration: { agents: { max_threads: 2 } } }, 'agents.max_threads'],
    [
      'codex-cli',
      { configuration: { tools: { update_plan: { enabled: true } } } },
      'tools.update_plan.enabled',
    ],
    ['codex-cli', { arguments: ['--code-mode-host=http://h'] }, '--code-mode-host'],
    ['claude-code', { configuration: { agent: 'pirate' } }, 'agent'],
    ['claude-code', { arguments: ['--agents', '{}', '--agent', 'pirate'] }, '--agent'],
    ['claude-code', { arguments: ['--plugin-dir=/p'] }, '--plugin-dir'],
    ['claude-code', { arguments: ['--chrome'] }, '--chrome'],
  ])('%s, %j', (adapter, own, name) => {
    expect(check(adapter, 'mcp_only', own)).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        message: expect.stringContaining(`"${name}" decides on tools of the CLI's own`),
      }),
    )
    expect(check(adapter, 'hybrid', own)).not.toThrow()
  })

  it.each<[string, Own]>([
    ['codex-cli', { configuration: { features: { goals: false }, web_search: 'disabled' } }],
    ['codex-cli', { configuration: { tools: { update_plan: { enabled: false } }, notice: { hide: true } } }],
    ['claude-code', { configuration: { agentless: 1 }, arguments: ['--debug'] }],
    ['pi-cli', { configuration: { theme: 'dark' }, arguments: ['-e', '/x.ts'] }],
  ])('%s: what takes tools away, or has nothing to do with them, stands: %j', (adapter, own) => {
    expect(check(adapter, 'mcp_only', own)).not.toThrow()
  })
})
