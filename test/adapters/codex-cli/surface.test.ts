import { describe, expect, it } from 'vitest'
import type { LaunchContext } from '../../../src/adapters/adapter.ts'
import { codexCli } from '../../../src/adapters/codex-cli.ts'
import type { LaunchOptions, ToolPolicy } from '../../../src/adapters/launch-options.ts'
import { checkTurnOptions } from '../../../src/options/check.ts'
import type { TurnOptions } from '../../../src/options/turn-options.ts'
import { launch, live, policy, settingsIn } from './surface-launching.ts'

/** The part of the configuration that decides on tools. */
function surface(version: string, options: Partial<LaunchOptions> = {}) {
  const { web_search, agents, tools, features, approval_policy, sandbox_mode } = settingsIn(
    launch(version, options),
  )
  return { web_search, agents, tools, features, approval_policy, sandbox_mode }
}

const always = { apps: false, plugins: false, remote_plugin: false, shell_snapshot: false }
const bareFeatures = {
  ...always,
  goals: false,
  image_generation: false,
  js_repl: false,
  request_permissions_tool: false,
  shell_tool: false,
  sleep_tool: false,
  tool_suggest: false,
  unified_exec: false,
  default_mode_request_user_input: false,
}

describe('mcp_only', () => {
  it.each(['0.147.0', '0.171.0', 'unknown'])('turns off all that %s can turn off', (version) => {
    expect(surface(version)).toEqual({
      web_search: 'disabled',
      agents: { enabled: false },
      tools: { update_plan: { enabled: false }, experimental_request_user_input: { enabled: false } },
      features: {
        ...bareFeatures,
        view_image: false,
        code_mode: { enabled: false, excluded_tool_namespaces: ['functions', 'clock'] },
      },
      approval_policy: 'never',
      sandbox_mode: 'read-only',
    })
  })

  it.each(['0.113.0', '0.130.0', '0.139.0'])('has no word for %s that would be an error to it', (version) => {
    expect(surface(version)).toEqual({
      web_search: 'disabled',
      agents: undefined,
      tools: undefined,
      features: { ...bareFeatures, multi_agent: false },
      approval_policy: 'never',
      sandbox_mode: 'read-only',
    })
  })

  it.each(['approve-all', 'auto', 'deny'] as const)(
    'lets nothing of codex write or ask for it, under approvals: %s and any sandbox',
    (approvals) => {
      for (const sandbox of ['workspace-write', 'off', undefined] as const) {
        const options = { approvals, ...(sandbox && { sandbox }) }
        expect(surface('0.171.0', options)).toMatchObject({
          approval_policy: 'never',
          sandbox_mode: 'read-only',
        })
        expect(live('0.171.0', options).opening.params).toEqual({
          approvalPolicy: 'never',
          sandbox: 'read-only',
        })
      }
    },
  )

  it.each([
    [
      '0.171.0',
      {
        granular: {
          sandbox_approval: false,
          rules: false,
          skill_approval: false,
          request_permissions: false,
          mcp_elicitations: true,
        },
      },
    ],
    ['0.113.0', { reject: { sandbox_approval: true, rules: true, mcp_elicitations: false } }],
  ])('asks a host of %s about the tools of servers only', (version, approvalPolicy) => {
    const { opening, files } = live(version, { approvals: 'host' })
    expect(opening.params).toEqual({ approvalPolicy, sandbox: 'read-only' })
    expect(settingsIn({ files })).not.toHaveProperty('mcp_servers.bridge.default_tools_approval_mode')
    expect(settingsIn({ files })).not.toHaveProperty('mcp_servers.bridge.tools')
    expect(settingsIn({ files })).toMatchObject({ features: { default_mode_request_user_input: false } })
  })

  it.each<[string, Partial<LaunchOptions>, Partial<LaunchContext>, string]>([
    ['0.55.0', {}, {}, 'Use codex 0.113.0 or newer'],
    ['0.140.0', {}, {}, 'Use codex 0.147.0 or newer'],
    ['0.146.1', {}, {}, 'Use codex 0.147.0 or newer'],
    ['0.171.0', { home: 'user', mcpServers: {} }, { home: undefined }, 'Use a private home.'],
    ['0.171.0', { projectConfiguration: 'trust' }, {}, "Use projectConfiguration: 'ignore'"],
  ])('is refused where more would be offered: %s, %j', (version, options, context, hint) => {
    expect(() => launch(version, options, context)).toThrow(
      expect.objectContaining({ code: 'unsupported', hint: expect.stringContaining(hint) }),
    )
  })

  it('that is strict is refused, with what codex cannot take away', () => {
    const options: TurnOptions = {
      adapter: codexCli,
      prompt: 'x',
      mcpServers: { a: { type: 'http', url: 'http://127.0.0.1:7/' } },
      tools: { mode: 'mcp_only', strict: true },
    }
    expect(() => checkTurnOptions(options)).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        message: expect.stringMatching(/tools\.strict.*request_user_input.*apply_patch.*read_mcp_resource/),
      }),
    )
    expect(() => checkTurnOptions({ ...options, tools: { mode: 'mcp_only' } })).not.toThrow()
    expect(() => checkTurnOptions({ ...options, tools: { mode: 'hybrid', strict: true } })).not.toThrow()
  })
})

describe('tools of codex itself', () => {
  it("stay as they are where nothing is said: 'native'", () => {
    expect(surface('0.171.0', { tools: policy('native'), mcpServers: {} })).toEqual({
      features: always,
      approval_policy: 'never',
    })
  })

  it("go where they would ask, wait or delegate, in 'hybrid', unless somebody answers", () => {
    expect(surface('0.171.0', { tools: policy('hybrid') })).toEqual({
      agents: { enabled: false },
      tools: { experimental_request_user_input: { enabled: false } },
      features: { ...always, goals: false, sleep_tool: false },
      approval_policy: 'never',
    })
    const hosted = settingsIn(live('0.171.0', { tools: policy('hybrid'), approvals: 'host' }))
    expect(hosted).not.toHaveProperty('agents')
    expect(hosted).not.toHaveProperty('tools')
  })

  it.each<[string[], object]>([
    [['shell'], { features: { ...always, shell_tool: false, unified_exec: false } }],
    [['web_search'], { web_search: 'disabled', features: always }],
    [['view_image'], { features: { ...always, view_image: false } }],
    [['spawn_agent'], { agents: { enabled: false }, features: always }],
    [['create_goal'], { features: { ...always, goals: false } }],
    [['update_plan'], { tools: { update_plan: { enabled: false } }, features: always }],
    [
      ['request_user_input'],
      { tools: { experimental_request_user_input: { enabled: false } }, features: always },
    ],
    [['sleep'], { features: { ...always, sleep_tool: false } }],
    [['image_generation'], { features: { ...always, image_generation: false } }],
  ])('that are denied are taken away: %j', (deny, settings) => {
    expect(surface('0.171.0', { tools: policy('native', { deny }), mcpServers: {} })).toEqual({
      ...settings,
      approval_policy: 'never',
    })
  })

  it('that are not among those allowed are taken away', () => {
    const tools = policy('native', { allow: ['shell', 'apply_patch'] })
    expect(surface('0.171.0', { tools, mcpServers: {} })).toEqual({
      web_search: 'disabled',
      agents: { enabled: false },
      tools: { update_plan: { enabled: false }, experimental_request_user_input: { enabled: false } },
      features: { ...always, goals: false, view_image: false, sleep_tool: false, image_generation: false },
      approval_policy: 'never',
    })
  })

  it.each<[string, ToolPolicy, Partial<LaunchOptions>, RegExp]>([
    ['0.171.0', policy('native', { deny: ['apply_patch'] }), {}, /tools\.deny with apply_patch/],
    ['0.171.0', policy('hybrid', { deny: ['exec'] }), {}, /tools\.deny with exec,/],
    ['0.113.0', policy('native', { deny: ['view_image'] }), {}, /tools\.deny with view_image/],
    [
      '0.113.0',
      policy('native', { deny: ['request_user_input'] }),
      {},
      /tools\.deny with request_user_input/,
    ],
    ['0.144.6', policy('native', { deny: ['spawn_agent'] }), {}, /tools\.deny with spawn_agent/],
    ['0.144.6', policy('native', { allow: ['shell'] }), {}, /without spawn_agent on codex 0\.144\.6/],
    ['0.55.0', policy('native', { deny: ['shell'] }), {}, /tools\.deny with shell/],
    ['0.55.0', policy('native', { allow: ['view_image'] }), {}, /without shell on codex 0\.55\.0/],
    [
      '0.171.0',
      policy('native', { allow: ['shell'] }),
      { approvals: 'approve-all' },
      /without apply_patch where the turn may write/,
    ],
  ])('that %s cannot take away are refused by name: %j', (version, tools, options, message) => {
    expect(() => launch(version, { mcpServers: {}, tools, ...options })).toThrow(
      expect.objectContaining({ code: 'unsupported', message: expect.stringMatching(message) }),
    )
  })

  it('that come only together are named by any of them', () => {
    const toolsOf = (tools: TurnOptions['tools']) =>
      checkTurnOptions({ adapter: codexCli, prompt: 'x', tools }).launch.tools
    expect(toolsOf({ mode: 'native', allow: ['exec_command'], deny: ['create_goal'] })).toEqual({
      mode: 'native',
      allow: ['exec_command', 'shell', 'shell_command', 'local_shell', 'write_stdin'],
      deny: ['create_goal', 'get_goal', 'update_goal'],
      strict: false,
    })
    expect(() => toolsOf({ mode: 'native', allow: ['exec_command'], deny: ['shell'] })).toThrow(
      /tools\.allow names "exec_command"/,
    )
  })
})

const overruled = (path: string, owner: string) =>
  expect.objectContaining({
    code: 'invalid_options',
    message: `The setting "${path}" says otherwise than the option \`${owner}\`, which would overrule it.`,
  })

describe('a setting that the policy would overrule in silence is refused by name', () => {
  it.each<[string, ToolPolicy, Partial<LaunchOptions>, string]>([
    [
      'web_search',
      policy('native', { deny: ['web_search'] }),
      { configuration: { web_search: 'live' } },
      'tools',
    ],
    ['features.goals', policy('hybrid'), { configuration: { features: { goals: true } } }, 'tools'],
    ['agents.enabled', policy('hybrid'), { configuration: { agents: { enabled: true } } }, 'tools'],
    [
      'tools.update_plan.enabled',
      policy('native', { deny: ['update_plan'] }),
      { configuration: { tools: { update_plan: { enabled: true } } } },
      'tools',
    ],
    // A word where the policy has a table.
    ['features.code_mode', policy('mcp_only'), { configuration: { features: { code_mode: true } } }, 'tools'],
  ])('%s, %j', (path, tools, options, owner) => {
    expect(() => launch('0.171.0', { tools, ...options })).toThrow(overruled(path, owner))
  })

  it('and so is one without which a host could not be asked', () => {
    const configuration = { features: { default_mode_request_user_input: false } }
    expect(() => live('0.171.0', { tools: policy('hybrid'), approvals: 'host', configuration })).toThrow(
      overruled('features.default_mode_request_user_input', 'approvals'),
    )
  })

  it('and one that says the same, or that it leaves alone, stands', () => {
    const configuration = { web_search: 'disabled', features: { goals: false, fast_mode: true } }
    expect(settingsIn(launch('0.171.0', { tools: policy('hybrid'), configuration }))).toMatchObject({
      web_search: 'disabled',
      features: { goals: false, fast_mode: true },
    })
  })
})
