// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the values are what claude would replace
import { describe, expect, test } from 'vitest'
import type { PlannedFile } from '../../../src/adapters/adapter.ts'
import { claudeCode } from '../../../src/adapters/claude-code.ts'
import type { LaunchMcpServer, LaunchOptions, ToolPolicy } from '../../../src/adapters/launch-options.ts'
import { asking, launchContext, launchOptions, starting } from './launching.ts'

function launch(options: Partial<LaunchOptions>, context: { version?: string; credentials?: string[] } = {}) {
  return claudeCode.structured.launch(launchOptions(options), launchContext(context))
}

function policy(mode: ToolPolicy['mode'], lists: Partial<ToolPolicy> = {}): ToolPolicy {
  return { mode, deny: [], strict: false, ...lists }
}

function wordsAfter(words: readonly string[], flag: string): string[] | undefined {
  return words.includes(flag) ? words[words.indexOf(flag) + 1]?.split(',') : undefined
}

const shop: LaunchMcpServer = {
  type: 'http',
  url: 'http://127.0.0.1:9/mcp',
  headers: { Authorization: 'Bearer sesame' },
  tools: ['buy', 'look.up'],
  hidden: [],
}
const deck: LaunchMcpServer = {
  type: 'stdio',
  command: '/bin/deck',
  args: ['--all'],
  env: { DECK_KEY: 'sesame' },
  tools: ['swab'],
  hidden: ['burn'],
}

interface Settings {
  permissions?: { allow?: string[]; deny?: string[] }
  hooks?: { PreToolUse?: { matcher: string }[] }
}

function settingsIn(files: readonly PlannedFile[]): Settings {
  return JSON.parse(files.find(({ path }) => path === 'coxswain-settings.json')?.content ?? '{}')
}

const versions = ['1.0.124', '2.0.72', '2.1.332', 'unknown']

describe('the servers of a turn', () => {
  test.each(versions)('stand in a file of the home, and not on the command line, of %s', (version) => {
    const {
      arguments: words,
      files,
      environment,
    } = launch({ tools: policy('hybrid'), mcpServers: { shop, deck: { ...deck, hidden: [] } } }, { version })
    expect(wordsAfter(words, '--mcp-config')).toEqual(['/homes/1/mcp-servers.json'])
    const content = files.find(({ path }) => path === 'mcp-servers.json')?.content ?? ''
    expect(JSON.parse(content)).toEqual({
      mcpServers: {
        shop: {
          type: 'http',
          url: 'http://127.0.0.1:9/mcp',
          headers: { Authorization: 'Bearer sesame' },
        },
        deck: { type: 'stdio', command: '/bin/deck', args: ['--all'], env: { DECK_KEY: 'sesame' } },
      },
    })
    expect(JSON.stringify([words, environment])).not.toContain('sesame')
  })

  test.each([
    ['1.0.124', { shop }, '/homes/1/cache'],
    ['2.1.136', { deck, shop }, '/homes/1/cache'],
    ['2.1.136', { deck, shop: { ...shop, headers: {} } }, undefined],
    ['2.1.332', { shop }, undefined],
    // Of which nobody could tell: it may be an old one.
    ['unknown', { shop }, '/homes/1/cache'],
  ])('have their headers in no log of %s that outlives the turn: %o', (version, servers, cache) => {
    const { environment } = launch({ tools: policy('mcp_only'), mcpServers: servers }, { version })
    expect(environment.XDG_CACHE_HOME).toBe(cache)
  })

  test('are offered as they are, waited for, and as slow as they like', () => {
    expect(launch({ tools: policy('hybrid'), mcpServers: { shop } }).environment).toMatchObject({
      ENABLE_TOOL_SEARCH: 'false',
      ENABLE_EXPERIMENTAL_MCP_CLI: 'false',
      MCP_TOOL_TIMEOUT: '100000000',
    })
    const listed = launch({ tools: policy('native', { allow: ['Read'] }) })
    expect(listed.environment).toMatchObject({ ENABLE_TOOL_SEARCH: 'false' })
    expect(launch({}).environment).not.toHaveProperty('ENABLE_TOOL_SEARCH')
  })

  test.each([
    ['deny', { allow: ['mcp__shop__buy', 'mcp__shop__look_up'] }],
    ['auto', { allow: ['mcp__shop__buy', 'mcp__shop__look_up'] }],
    ['approve-all', { allow: ['mcp__shop__buy', 'mcp__shop__look_up'] }],
    ['host', undefined],
  ] as const)('are granted, where nobody can be asked: %s', (approvals, permissions) => {
    const { prompt: _prompt, ...options } = launchOptions({ tools: policy('mcp_only'), mcpServers: { shop } })
    const { files = [] } = claudeCode.live?.launch({ ...options, approvals }, launchContext()) ?? {}
    expect(settingsIn(files).permissions).toEqual(permissions)
  })

  test.each([
    ['mcp_only', 'approve-all', 'default'],
    ['mcp_only', 'auto', 'default'],
    ['hybrid', 'approve-all', 'bypassPermissions'],
    ['hybrid', 'auto', 'acceptEdits'],
  ] as const)('alone run by their names, in %s with %s', (mode, approvals, expected) => {
    const { arguments: words } = launch({ tools: policy(mode), mcpServers: { shop }, approvals })
    expect(wordsAfter(words, '--permission-mode')).toEqual([expected])
  })

  test('are refused before they run where they were not listed', () => {
    const strangerOf = (version: string) => {
      const servers = { shop, deck: { ...deck, hidden: [] } }
      const { files } = launch({ tools: policy('hybrid'), mcpServers: servers }, { version })
      return settingsIn(files).hooks?.PreToolUse?.[0]?.matcher
    }
    for (const version of ['2.0.72', '2.1.332', 'unknown']) {
      const isRefused = new RegExp(strangerOf(version) ?? '')
      const strange = ['mcp__shop__buy2', 'mcp__shop__bu', 'mcp__deck__buy', 'mcp__deck__swab__'].filter(
        (name) => isRefused.test(name),
      )
      expect(strange).toEqual(['mcp__shop__buy2', 'mcp__shop__bu', 'mcp__deck__buy', 'mcp__deck__swab__'])
      const others = ['mcp__shop__buy', 'mcp__shop__look_up', 'mcp__deck__swab', 'Bash', 'mcp__own__buy']
      expect(others.filter((name) => isRefused.test(name))).toEqual([])
    }
    // It leaves all hooks alone.
    expect(strangerOf('1.0.124')).toBeUndefined()
  })

  test("come alone, but for a trusted project's where native tools are offered as well", () => {
    const strict = (mode: ToolPolicy['mode'], projectConfiguration: 'ignore' | 'trust') =>
      launch({ tools: policy(mode), mcpServers: { shop }, projectConfiguration }).arguments.includes(
        '--strict-mcp-config',
      )
    expect(strict('hybrid', 'ignore')).toBe(true)
    expect(strict('mcp_only', 'trust')).toBe(true)
    expect(strict('hybrid', 'trust')).toBe(false)
  })

  test.each([
    ['2.1.332', '${COXSWAIN_DOLLAR:-$}', '${COXSWAIN_DOLLAR:-$}{COXSWAIN_DOLLAR:-$}'],
    ['2.1.119', '${COXSWAIN_DOLLAR:-$}', '${COXSWAIN_DOLLAR:-$}{COXSWAIN_DOLLAR:-$}'],
    ['2.1.118', '${COXSWAIN_DOLLAR:-$}', '${COXSWAIN_DOLLAR:-$}'],
    ['2.0.72', '${COXSWAIN_DOLLAR:-$}', '${COXSWAIN_DOLLAR:-$}'],
    ['1.0.124', '${COXSWAIN_DOLLAR:-$}', '${COXSWAIN_DOLLAR:-$}'],
  ])('have no variable put into their values by %s', (version, once, header) => {
    const { files } = launch(
      {
        tools: policy('hybrid'),
        mcpServers: {
          shop: { ...shop, url: 'http://127.0.0.1:9/${HOME}', headers: { a: '$1 ${HOME} $HOME' } },
          deck: { ...deck, command: '/${A}', args: ['${B:-c}'], env: { KEY: '${HOME}' }, hidden: [] },
        },
      },
      { version },
    )
    const content = files.find(({ path }) => path === 'mcp-servers.json')?.content ?? ''
    expect(JSON.parse(content)).toEqual({
      mcpServers: {
        shop: {
          type: 'http',
          url: `http://127.0.0.1:9/${once}{HOME}`,
          headers: { a: `$1 ${header}{HOME} $HOME` },
        },
        deck: {
          type: 'stdio',
          command: `/${once}{A}`,
          args: [`${once}{B:-c}`],
          env: { KEY: `${once}{HOME}` },
        },
      },
    })
  })

  test('do not get what signs claude in', () => {
    const envOf = (options: Partial<LaunchOptions>, credentials?: string[]) => {
      const mcpServers = { deck: { ...deck, hidden: [], env: { ANTHROPIC_BASE_URL: 'own' } } }
      const { files } = launch(
        { tools: policy('hybrid'), mcpServers, ...options },
        credentials ? { credentials } : {},
      )
      const content = files.find(({ path }) => path === 'mcp-servers.json')?.content ?? '{}'
      return JSON.parse(content).mcpServers.deck.env
    }
    expect(envOf({}, ['api-key'])).toEqual({
      ANTHROPIC_API_KEY: '',
      ANTHROPIC_BASE_URL: 'own',
      ANTHROPIC_CUSTOM_HEADERS: '',
    })
    expect(envOf({ endpoint: { url: 'http://127.0.0.1:9' } })).toEqual({
      ANTHROPIC_API_KEY: '',
      ANTHROPIC_BASE_URL: 'own',
    })
    expect(envOf({})).toEqual({ ANTHROPIC_BASE_URL: 'own' })
  })
})

describe('the tools of a turn', () => {
  const denied = (options: Partial<LaunchOptions>) =>
    wordsAfter(launch(options).arguments, '--disallowedTools') ?? []

  test.each(['2.0.72', '2.1.332', 'unknown'])('are those of its servers alone in mcp_only: %s', (version) => {
    const { arguments: words, files } = launch(
      { tools: policy('mcp_only'), mcpServers: { shop, deck } },
      { version },
    )
    expect(wordsAfter(words, '--tools')).toEqual([''])
    const gone = wordsAfter(words, '--disallowedTools') ?? []
    const natives = claudeCode.nativeTools?.map(({ name }) => name) ?? []
    expect(gone).toEqual(natives)
    expect(settingsIn(files).permissions?.deny).toEqual(['mcp__deck__burn'])
    expect(gone).toEqual(expect.arrayContaining(['Bash', 'Write', 'Task', 'Agent', 'WebFetch', 'ToolSearch']))
  })

  test('are taken away one by one by 1.0.124, which cannot hide one of a server', () => {
    const version = '1.0.124'
    const { arguments: words } = launch({ tools: policy('mcp_only'), mcpServers: { shop } }, { version })
    expect(words).not.toContain('--tools')
    expect(wordsAfter(words, '--disallowedTools')).toEqual(
      expect.arrayContaining(['Bash', 'BashOutput', 'MultiEdit', 'SlashCommand', 'Task', 'TodoWrite']),
    )
    expect(() => launch({ tools: policy('mcp_only'), mcpServers: { deck } }, { version })).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        message: 'claude 1.0.124 cannot hide a tool of a server (mcp__deck__burn).',
      }),
    )
  })

  test('are of its own those that allow names, where it names one', () => {
    const native = launch({ tools: policy('native', { allow: ['Read', 'Bash'] }) })
    expect(wordsAfter(native.arguments, '--tools')).toEqual(['Read', 'Bash'])
    const hybrid = launch({ tools: policy('hybrid', { allow: ['shop/buy', 'Read'] }), mcpServers: { shop } })
    expect(wordsAfter(hybrid.arguments, '--tools')).toEqual(['Read'])
    expect(denied({ tools: policy('hybrid', { allow: ['shop/buy'] }), mcpServers: { shop } })).toEqual(
      `${asking},${starting}`.split(','),
    )
  })

  test('are never those that ask, plan, wait or come back later, unless somebody answers or waits', () => {
    const allow = ['Read', 'AskUserQuestion', 'Monitor']
    expect(wordsAfter(launch({ tools: policy('native', { allow }) }).arguments, '--tools')).toEqual(['Read'])
    expect(denied({})).toEqual(`${asking},${starting}`.split(','))
    expect(denied({ backgroundTasks: 'wait' })).toEqual(asking.split(','))
  })

  test('are without those that deny names', () => {
    expect(denied({ tools: policy('native', { deny: ['WebFetch'] }), backgroundTasks: 'wait' })).toEqual([
      'WebFetch',
      ...asking.split(','),
    ])
  })
})
