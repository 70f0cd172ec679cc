import { describe, expect, it } from 'vitest'
import type { LaunchMcpServer, LaunchOptions } from '../../../src/adapters/launch-options.ts'
import { piNamesOf } from '../../../src/adapters/pi-cli/tool-names.ts'
import { piCli } from '../../../src/adapters/pi-cli.ts'
import { checkTurnOptions } from '../../../src/options/check.ts'
import { launch, plain } from './launching.ts'

type Tools = Partial<LaunchOptions['tools']>

const policy = (tools: Tools): LaunchOptions['tools'] => ({
  mode: 'native',
  deny: [],
  strict: false,
  ...tools,
})
const bridge: LaunchMcpServer = {
  type: 'http',
  url: 'http://127.0.0.1:1/s/1/mcp',
  headers: { Authorization: 'Bearer secret' },
  tools: ['moor', 'set-sail'],
  hidden: ['sink'],
}
const withBridge = { mcpServers: { bridge } }
const loading = ['-e', 'builtin:mcp', '-e', '/h/coxswain-tools.mjs']

/** What of the arguments is about tools. */
function toolWords(version: string, options: Partial<LaunchOptions>): string[] {
  const { arguments: all } = launch(version, options)
  const end = all.findIndex((word) => word === '--session-dir' || word === '--system-prompt')
  return all
    .slice(3, end)
    .filter((word) => !/^--(?:no-(?:extensions|skills|prompt-templates|approve)|approve)$/.test(word))
}

function file(path: string, options: Partial<LaunchOptions>, version = '1.6.0') {
  return launch(version, options).files.find((each) => each.path === path)
}

describe('native tools', () => {
  it.each<[string, Tools, string[]]>([
    ['0.63.2', {}, []],
    ['1.6.0', {}, []],
    ['0.63.2', { allow: ['read', 'grep'] }, ['--tools', 'read,grep']],
    ['0.73.1', { allow: ['read', 'grep'], deny: ['grep'] }, ['--tools', 'read']],
    ['1.6.0', { allow: ['bash', 'nothing'] }, ['--tools', 'bash']],
    ['0.63.2', { allow: [] }, ['--no-tools']],
    ['1.6.0', { allow: ['nothing'] }, ['--no-tools']],
    // They take no tool away yet: what is left is named.
    ['0.63.2', { deny: ['bash'] }, ['--tools', 'read,edit,write']],
    ['0.76.9', { deny: ['bash', 'write'] }, ['--tools', 'read,edit']],
    ['0.73.1', { deny: ['bash', 'write', 'read', 'edit'] }, ['--no-tools']],
    ['0.77.0', { deny: ['bash', 'write'] }, ['--exclude-tools', 'bash,write']],
    ['unknown', { deny: ['bash'] }, ['--exclude-tools', 'bash']],
    // Neither a pattern nor two names in one.
    ['1.6.0', { deny: ['*', 'read,bash', 'bridge/read'] }, []],
    ['1.6.0', { allow: ['codemode', 'read'] }, ['-e', 'builtin:codemode', '--tools', 'read,codemode']],
    ['0.85.1', { allow: ['codemode'] }, ['--tools', 'codemode']],
  ])('%s %j', (version, tools, expected) => {
    const words = toolWords(version, { tools: policy(tools) })
    expect(new Set(words.join(' ').split(/[ ,]/))).toEqual(new Set(expected.join(' ').split(/[ ,]/)))
    expect(words.filter((word) => word.startsWith('-'))).toEqual(
      expected.filter((word) => word.startsWith('-')),
    )
  })

  const extension = { arguments: ['-e', '/e.ts'] }
  const trusted = { projectConfiguration: 'trust' } as const

  it.each<[string, Tools, Partial<LaunchOptions>, string | undefined]>([
    ['0.63.2', { allow: ['read'] }, trusted, '0.68.0'],
    ['0.63.2', { deny: ['read'] }, extension, '0.77.0'],
    ['0.73.1', { deny: ['read'] }, trusted, '0.77.0'],
    ['0.73.1', { allow: ['read'] }, trusted, undefined],
    ['0.85.1', { deny: ['read'] }, trusted, undefined],
    ['0.63.2', {}, trusted, undefined],
  ])('beside those of extensions, in %s %j %j', (version, tools, options, needed) => {
    const turn = () => launch(version, { tools: policy(tools), ...options })
    if (needed === undefined) expect(turn).not.toThrow()
    else
      expect(turn).toThrow(
        expect.objectContaining({
          code: 'unsupported',
          message: `pi-cli ${version} cannot keep to tools.allow and tools.deny where extensions bring tools of their own, which needs ${needed}.`,
        }),
      )
  })
})

describe('MCP servers', () => {
  it.each<[Tools, string[]]>([
    [{ mode: 'mcp_only' }, [...loading, '--tools', 'mcp__bridge__moor,mcp__bridge__set_sail']],
    [{ mode: 'hybrid' }, loading],
    [{ mode: 'hybrid', deny: ['bash', 'sink'] }, [...loading, '--exclude-tools', 'bash,sink']],
    [
      { mode: 'hybrid', allow: ['moor', 'set-sail', 'read'] },
      [...loading, '--tools', 'read,mcp__bridge__moor,mcp__bridge__set_sail'],
    ],
  ])('%j', (tools, expected) => {
    expect(toolWords('1.6.0', { ...withBridge, tools: policy(tools) })).toEqual(expected)
    expect(toolWords('0.99.0', { ...withBridge, tools: policy(tools) })).toEqual(expected)
  })

  it('come with the same words where the project is trusted, and over rpc', () => {
    const options = { ...withBridge, tools: policy({ mode: 'mcp_only' }) }
    const expected = [...loading, '--tools', 'mcp__bridge__moor,mcp__bridge__set_sail']
    expect(toolWords('1.6.0', { ...options, projectConfiguration: 'trust' })).toEqual(expected)
    const live = piCli.live?.launch(
      { ...plain, ...options },
      { version: '1.6.0', home: '/h', directory: '/h', platform: 'linux', isRoot: false },
    )
    expect(live?.arguments).toEqual(expect.arrayContaining(expected))
    expect(live?.opening).toMatchObject({ hasCommands: true })
  })

  it('lie in the home, each admitted tool offered as it is and nothing else, the token in no argument', () => {
    const options = { ...withBridge, tools: policy({ mode: 'hybrid' }) }
    expect(JSON.parse(file('mcp.json', options)?.content ?? '')).toEqual({
      mcpServers: {
        bridge: {
          type: 'http',
          url: 'http://127.0.0.1:1/s/1/mcp',
          headers: { Authorization: 'Bearer secret' },
          exposure: 'hidden',
          toolExposure: { sink: 'hidden', moor: 'direct', 'set-sail': 'direct' },
          timeout: 86_400,
        },
      },
    })
    const { arguments: argv, environment } = launch('1.6.0', options)
    expect(JSON.stringify([argv, environment])).not.toContain('secret')
    expect(file('coxswain-tools.mjs', options)?.content).not.toContain('secret')
  })

  it.each([
    ['plain', 'plain'],
    ['$HOME', '$$HOME'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what must not be expanded
    ['a ${B} $$ $!', 'a $${B} $$$$ $$!'],
    ['!id', '$!id'],
    ['!!id', '$!!id'],
    ['Bearer !x', 'Bearer !x'],
    ['', ''],
  ])('get the value %j as it is, though pi reads more into it', (value, written) => {
    const stdio: LaunchMcpServer = {
      type: 'stdio',
      command: 'serve',
      args: ['$HOME', '!id'],
      env: { VALUE: value },
      tools: ['moor'],
      hidden: [],
    }
    const servers = { stdio, http: { ...bridge, headers: { Value: value } } }
    const { content = '' } =
      file('mcp.json', { mcpServers: servers, tools: policy({ mode: 'hybrid' }) }) ?? {}
    expect(JSON.parse(content)).toMatchObject({
      mcpServers: {
        stdio: { type: 'stdio', command: 'serve', args: ['$HOME', '!id'], env: { VALUE: written } },
        http: { headers: { Value: written } },
      },
    })
  })

  it('keep a prompt from running /mcp', () => {
    const prompt: LaunchOptions['prompt'] = [{ type: 'text', text: '/mcp' }]
    const tools = policy({ mode: 'hybrid' })
    expect(launch('1.6.0', { ...withBridge, tools, prompt }).stdin).toBe('\u200b/mcp')
  })

  it('of an earlier turn are taken out of a home that is kept', () => {
    const home = { directory: '/h' }
    expect(file('mcp.json', { home })?.content).toBe('{\n  "mcpServers": {}\n}\n')
    expect(file('mcp.json', { home }, '0.85.1')).toBeUndefined()
    expect(file('mcp.json', {})).toBeUndefined()
  })

  const homes = { surroundings: { skills: { user: [], project: [] }, consulted: {} } }

  it.each<[string, string, Partial<LaunchOptions>, Record<string, string>, string]>([
    [
      'a pi without MCP',
      '0.87.1',
      { tools: policy({ mode: 'hybrid' }) },
      {},
      'pi-cli 0.87.1 speaks no MCP: `mcpServers`, `bridge` and the tool modes that go with them need 0.99.0.',
    ],
    [
      "the user's home",
      '1.6.0',
      { home: 'user', tools: policy({ mode: 'hybrid' }) },
      {},
      "pi-cli cannot use `mcpServers` or `bridge` with home: 'user'.",
    ],
    [
      "a server of the trusted project's with that name",
      '1.6.0',
      { projectConfiguration: 'trust', tools: policy({ mode: 'hybrid' }) },
      { '.pi/mcp.json': '{"mcpServers":{"bridge":{}}}' },
      "The project's .pi/mcp.json has an MCP server bridge, which pi-cli would take for this turn's bridge.",
    ],
    [
      'a path that pi would change',
      '1.6.0',
      {
        mcpServers: { s: { type: 'stdio', command: '~/serve', tools: ['moor'], hidden: [] } },
        tools: policy({ mode: 'hybrid' }),
      },
      {},
      'pi-cli would put the home directory in the place of ~ in "~/serve" of the MCP server s.',
    ],
  ])('are refused for %s', (_, version, options, consulted, message) => {
    const context = { ...homes, surroundings: { ...homes.surroundings, consulted } }
    const place = options.home === 'user' ? { home: undefined } : {}
    expect(() => launch(version, { ...withBridge, ...options }, { ...context, ...place })).toThrow(
      expect.objectContaining({ code: 'unsupported', message }),
    )
  })

  it('are listed by their servers where a command line cannot hold all their names', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `tool_${index}_${'x'.repeat(80)}`)
    const mcpServers = { bridge, 'dock-side': { ...bridge, tools: many } }
    const words = toolWords('1.6.0', { mcpServers, tools: policy({ mode: 'mcp_only' }) })
    expect(words.at(-1)).toBe('mcp__bridge__*,mcp__dock_side__*')
  })

  it('are wrong where the names of two are one to pi', () => {
    const servers = { mcpServers: { 'a-b': bridge, a_b: bridge }, tools: policy({ mode: 'hybrid' }) }
    expect(() => launch('1.6.0', { ...withBridge, ...servers }, homes)).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        message: 'pi-cli cannot tell the MCP servers a-b and a_b apart.',
      }),
    )
  })

  it('of a project that is not trusted may be called the same', () => {
    const consulted = { '.pi/mcp.json': '{"mcpServers":{"bridge":{}}}' }
    const context = { surroundings: { skills: { user: [], project: [] }, consulted } }
    expect(() => launch('1.6.0', { ...withBridge, tools: policy({ mode: 'hybrid' }) }, context)).not.toThrow()
  })

  it('own the flag that turns them off', () => {
    expect(() => checkTurnOptions({ adapter: 'pi-cli', prompt: 'x', arguments: ['--no-mcp'] })).toThrow(
      'belongs to the option `mcpServers`',
    )
  })
})

// As 1.3.0 and 1.6.0 offered them to the model.
it('names the tools of servers as pi does', () => {
  const names = piNamesOf({
    'my-server': ['read-file', 'read_file', 'do.it', 'x'.repeat(70), 'read'],
  })
  expect([...names]).toEqual([
    ['mcp__my_server__read_file_53d51eb5', { server: 'my-server', name: 'read-file' }],
    ['mcp__my_server__read_file_1ea13a54', { server: 'my-server', name: 'read_file' }],
    ['mcp__my_server__do_it', { server: 'my-server', name: 'do.it' }],
    [
      'mcp__my_server__xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_2da9ab43',
      { server: 'my-server', name: 'x'.repeat(70) },
    ],
    ['mcp__my_server__read', { server: 'my-server', name: 'read' }],
  ])
})

it('names a tool by its whole server, also where one that is not offered shares its name', () => {
  const servers = { s: { ...bridge, tools: ['read-file'], hidden: ['read_file'] } }
  const words = toolWords('1.6.0', { mcpServers: servers, tools: policy({ mode: 'mcp_only' }) })
  expect(words.at(-1)).toMatch(/^mcp__s__read_file_[\da-f]{8}$/)
})
