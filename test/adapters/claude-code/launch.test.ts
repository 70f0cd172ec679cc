import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../../src/adapters/claude-code.ts'
import type { LaunchOptions } from '../../../src/adapters/launch-options.ts'
import { aboveImports, asking, launch, launchContext, launchOptions, starting } from './launching.ts'

const id = '22222222-2222-4222-8222-222222222222'

describe('a launch', () => {
  test('of the newest version, with nothing asked for', () => {
    expect(launch(launchOptions(), launchContext())).toEqual({
      arguments: [
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--include-partial-messages',
        '--permission-mode',
        'default',
        '--disallowedTools',
        `${asking},${starting}`,
        '--setting-sources',
        'user',
        '--strict-mcp-config',
        '--add-dir',
        '/w',
      ],
      environment: {
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
        ENABLE_CLAUDEAI_MCP_SERVERS: 'false',
        CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
        CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1',
        CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
      },
      files: [{ path: 'CLAUDE.md', content: `${aboveImports}@/w/CLAUDE.local.md\n` }],
      stdin: 'Sail.',
      firstSignal: 'SIGINT',
    })
  })

  test('with everything asked for', () => {
    const {
      arguments: words,
      files,
      environment,
    } = launch(
      launchOptions({
        model: 'claude-deck-1',
        effort: 'high',
        systemPrompt: { append: 'Be brief.', replace: 'You sail.' },
        resume: id,
        fork: true,
        approvals: 'approve-all',
        backgroundTasks: 'wait',
        projectInstructions: false,
        configuration: { includeCoAuthoredBy: false },
        arguments: ['--max-turns', '3'],
        endpoint: { url: 'http://127.0.0.1:9', credential: 'k', headers: { 'x-a': '1', 'x-b': 'two words' } },
      }),
      launchContext({ isRoot: true }),
    )
    expect(words.slice(5)).toEqual([
      '--permission-mode',
      'bypassPermissions',
      '--disallowedTools',
      asking,
      '--setting-sources',
      '',
      '--strict-mcp-config',
      '--settings',
      '/homes/1/coxswain-settings.json',
      '--model',
      'claude-deck-1',
      '--effort',
      'high',
      '--system-prompt-snapshot',
      'off',
      '--system-prompt-file',
      '/homes/1/system-prompt.txt',
      '--append-system-prompt-file',
      '/homes/1/append-system-prompt.txt',
      '--resume',
      id,
      '--fork-session',
      '--max-turns',
      '3',
    ])
    expect(files).toEqual([
      { path: 'coxswain-settings.json', content: '{\n  "includeCoAuthoredBy": false\n}\n' },
      { path: 'system-prompt.txt', content: 'You sail.' },
      { path: 'append-system-prompt.txt', content: 'Be brief.' },
    ])
    expect(environment).toEqual({
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
      ENABLE_CLAUDEAI_MCP_SERVERS: 'false',
      CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
      IS_SANDBOX: '1',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_CUSTOM_HEADERS: 'x-a: 1\nx-b: two words',
    })
  })

  test.each([
    ['2.1.267', false],
    ['2.1.268', true],
  ])(
    'resumed in %s has the system prompt of this turn, by a flag where it needs one: %j',
    (version, needs) => {
      const options = {
        resume: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
        systemPrompt: { append: 'Be brief.' },
      }
      const { arguments: words } = launch(launchOptions(options), launchContext({ version }))
      expect(words.includes('--system-prompt-snapshot')).toBe(needs)
    },
  )

  test('at an endpoint without a credential carries a dummy', () => {
    const { environment } = launch(
      launchOptions({ endpoint: { url: 'http://127.0.0.1:9' } }),
      launchContext(),
    )
    expect(environment).toMatchObject({ ANTHROPIC_API_KEY: 'none' })
  })

  test('that edits by itself accepts edits, and only a root that bypasses calls itself a sandbox', () => {
    const auto = launch(launchOptions({ approvals: 'auto' }), launchContext({ isRoot: true }))
    expect(auto.arguments.slice(5, 7)).toEqual(['--permission-mode', 'acceptEdits'])
    expect(auto.environment).not.toHaveProperty('IS_SANDBOX')
    const bypass = launch(launchOptions({ approvals: 'approve-all' }), launchContext())
    expect(bypass.environment).not.toHaveProperty('IS_SANDBOX')
  })

  test("in the user's home or one of the caller's reads that home's settings, not the project's", () => {
    const words = launch(
      launchOptions({ home: { directory: '/h' } }),
      launchContext({ home: '/h' }),
    ).arguments
    expect(words.slice(9, 12)).toEqual(['--setting-sources', 'user', '--strict-mcp-config'])
    expect(launch(launchOptions({ home: 'user' }), launchContext()).arguments).toEqual(
      expect.arrayContaining(['user']),
    )
  })

  test('names the project by its real path, with its spaces kept from ending an import', () => {
    const { files } = launch(launchOptions(), launchContext({ realCwd: '/a b' }))
    expect(files).toEqual([{ path: 'CLAUDE.md', content: `${aboveImports}@/a\\ b/CLAUDE.local.md\n` }])
  })

  test.each(['not-an-id', '-p', '../x'])('never resumes what is no id: %s', (resume) => {
    expect(() => launch(launchOptions({ resume }), launchContext())).toThrow(
      expect.objectContaining({
        code: 'resume_rejected',
        message: `No claude conversation has the id ${JSON.stringify(resume)}.`,
      }),
    )
  })
})

describe('a trusted project', () => {
  const trusted = (options: Partial<LaunchOptions> = {}) =>
    launchOptions({ projectConfiguration: 'trust', ...options })
  const approved = '{\n  "enableAllProjectMcpServers": true\n}\n'

  test('has no say in where requests go', () => {
    const settings = (options: Partial<LaunchOptions>, forwarders?: Record<string, string>) => {
      const { files } = launch(trusted(options), launchContext(forwarders && { forwarders }))
      return JSON.parse(files[0]?.content ?? '').env
    }
    const here = 'http://127.0.0.1:9'
    expect(settings({ endpoint: { url: here } })).toEqual({ ANTHROPIC_BASE_URL: here })
    expect(settings({}, { 'api-key': here })).toEqual({ ANTHROPIC_BASE_URL: here })
    expect(settings({ configuration: { env: { A: '1' } }, endpoint: { url: here } })).toEqual({
      A: '1',
      ANTHROPIC_BASE_URL: here,
    })
    expect(settings({})).toBeUndefined()
  })

  test.each(['2.0.72', '2.1.332', 'unknown'])('in %s brings its settings and servers along', (version) => {
    const { arguments: words, environment, files } = launch(trusted(), launchContext({ version }))
    expect(words.slice(9)).toEqual([
      '--setting-sources',
      'project,local',
      '--settings',
      '/homes/1/coxswain-settings.json',
    ])
    expect(files).toEqual([{ path: 'coxswain-settings.json', content: approved }])
    expect(environment).not.toHaveProperty('CLAUDE_CODE_DISABLE_CLAUDE_MDS')
  })

  test('in 1.0.124 is what claude reads anyway', () => {
    const { arguments: words } = launch(trusted(), launchContext({ version: '1.0.124' }))
    expect(words.slice(9)).toEqual(['--settings', '/homes/1/coxswain-settings.json'])
  })

  test("with the caller's home brings that along, too", () => {
    const home = { directory: '/h' }
    const { arguments: words } = launch(trusted({ home }), launchContext({ home: '/h' }))
    expect(words.slice(9, 11)).toEqual(['--setting-sources', 'user,project,local'])
  })

  test.each(['1.0.124', '2.0.72', '2.1.332'])('in %s can do without its instructions', (version) => {
    const { environment } = launch(trusted({ projectInstructions: false }), launchContext({ version }))
    expect(environment).toMatchObject({ CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1' })
  })
})

test.each([
  '--permission-mode',
  '--settings',
  '--resume',
  '-r',
  '--mcp-config',
  '--system-prompt-file',
  '--model',
])('the flag %s belongs to an option', (flag) => {
  expect(claudeCode.capabilities.reservedArguments).toHaveProperty([flag])
})

test.each(['permissions', 'hooks', 'env', 'model', 'apiKeyHelper', 'mcpServers'])(
  'the setting %s belongs to an option',
  (key) => {
    expect(claudeCode.capabilities.reservedConfiguration).toHaveProperty([key])
  },
)
