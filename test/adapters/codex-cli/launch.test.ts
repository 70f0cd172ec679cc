import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import type { LaunchContext } from '../../../src/adapters/adapter.ts'
import { codexCli } from '../../../src/adapters/codex-cli.ts'
import { checkTurnOptions } from '../../../src/options/check.ts'
import type { LaunchOptions, PromptPart } from '../../../src/options/turn-options.ts'
import { plainLaunch } from '../launching.ts'

const plain: LaunchOptions = { ...plainLaunch, cwd: '/w/project' }

function launch(version: string, options: Partial<LaunchOptions> = {}, context: Partial<LaunchContext> = {}) {
  return codexCli.structured.launch(
    { ...plain, ...options },
    { version, home: '/h', directory: '/h', platform: 'linux', isRoot: false, ...context },
  )
}

/** The generated configuration without what every one has. */
function settings(
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

const inUserHome = { home: undefined, directory: '/t' }
const versions = ['0.55.0', '0.113.0', '0.147.0', '0.171.0', 'unknown'] as const
const conversation = '01a00000-0000-7000-8000-000000000001'
const untrusted =
  '{ "/w/project" = { "trust_level" = "untrusted" }, "/w" = { "trust_level" = "untrusted" }, "/" = { "trust_level" = "untrusted" } }'

/** For versions without a switch for what they bring along. */
const bundledByPath = `
[[skills.config]]
path = "/h/skills/.system/skill-creator/SKILL.md"
enabled = false

[[skills.config]]
path = "/h/skills/.system/skill-installer/SKILL.md"
enabled = false
`

describe('a plain turn', () => {
  it.each(versions)(
    'of %s has its prompt on stdin and everything else in a configuration of its own',
    (version) => {
      expect(launch(version)).toEqual({
        arguments: ['exec', '--json', '--skip-git-repo-check', '-'],
        environment: {},
        files: [
          {
            path: 'config.toml',
            content: `check_for_update_on_startup = false
approval_policy = "never"

[skills]
include_instructions = false

[skills.bundled]
enabled = false
${version === '0.55.0' || version === '0.113.0' ? bundledByPath : ''}
[features]
apps = false
plugins = false
remote_plugin = false
shell_snapshot = false

[shell_environment_policy]
ignore_default_excludes = true
exclude = [ "CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "COXSWAIN_ENDPOINT_*", "COXSWAIN_MCP_*" ]

`,
          },
        ],
        stdin: 'Hello.',
        firstSignal: 'SIGINT',
      })
    },
  )

  it.each(versions)("of %s writes nothing into a user's own home", (version) => {
    const { arguments: argv, files } = launch(version, { home: 'user' }, inUserHome)
    expect(files).toEqual([])
    expect(argv).toEqual([
      'exec',
      '--json',
      '--skip-git-repo-check',
      '-c',
      'approval_policy="never"',
      '-c',
      `projects=${untrusted}`,
      '-',
    ])
  })
})

describe('the prompt', () => {
  it.each(['@/etc/hostname', '/status', '- x', '--- x', '  spaced\n'])(
    '%j goes to stdin as it is',
    (text) => {
      expect(launch('0.171.0', { prompt: [{ type: 'text', text }] }).stdin).toBe(text)
    },
  )

  it('without words is refused: codex exec would end with "No prompt provided via stdin."', () => {
    const prompt: PromptPart[] = [{ type: 'image', mimeType: 'image/png', data: 'aGk=' }]
    expect(() => launch('0.171.0', { prompt })).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        hint: "Say in words what to do with the image, or take transport: 'live'.",
      }),
    )
  })

  it('has its images as files, before the flags that end their list', () => {
    const {
      arguments: argv,
      files,
      stdin,
    } = launch('0.55.0', {
      resume: conversation,
      prompt: [
        { type: 'text', text: 'Look:' },
        { type: 'image', mimeType: 'image/png', data: 'aGk=' },
        { type: 'image', mimeType: '../../etc', data: 'aG8=' },
        { type: 'text', text: 'What is it?' },
      ],
    })
    expect(argv).toEqual([
      'exec',
      '-i',
      '/h/image-1.png',
      '-i',
      '/h/image-2.image',
      '--json',
      '--skip-git-repo-check',
      'resume',
      conversation,
      '-',
    ])
    expect(files.slice(1)).toEqual([
      { path: 'image-1.png', content: 'aGk=', encoding: 'base64' },
      { path: 'image-2.image', content: 'aG8=', encoding: 'base64' },
    ])
    expect(stdin).toBe('Look:\n\nWhat is it?')
  })
})

describe('a conversation', () => {
  it.each(versions)('is resumed by %s with its flags before the word', (version) => {
    expect(launch(version, { resume: conversation, arguments: ['--add-dir', '/x'] }).arguments).toEqual([
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--add-dir',
      '/x',
      'resume',
      conversation,
      '-',
    ])
  })

  it.each(['0.148.0', '0.148.1-alpha.2', '0.171.0', '1.0.0', 'unknown'])('is forked by %s', (version) => {
    expect(launch(version, { resume: conversation, fork: true }).arguments.slice(-3)).toEqual([
      'fork',
      conversation,
      '-',
    ])
  })

  it.each(['0.55.0', '0.113.0', '0.147.0'])('can not be forked by %s', (version) => {
    expect(() => launch(version, { resume: conversation, fork: true })).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        hint: 'Use codex 0.148.0 or newer, or resume without fork.',
      }),
    )
  })

  it.each(['--last', 'my thread', '', `${conversation} `])(
    'is not asked for by %j, which is no id',
    (resume) => {
      expect(() => launch('0.171.0', { resume })).toThrow(
        expect.objectContaining({ code: 'resume_rejected' }),
      )
    },
  )
})

describe('model, effort and system prompt', () => {
  it('stand in the configuration', () => {
    expect(
      settings('0.171.0', { model: 'gpt-5.5', effort: 'high', systemPrompt: { append: 'Be "brief".\n' } }),
    ).toEqual({
      approval_policy: 'never',
      model: 'gpt-5.5',
      model_reasoning_effort: 'high',
      developer_instructions: 'Be "brief".\n',
    })
  })

  it.each([
    [
      '0.55.0',
      { model_instructions_file: '/h/instructions.md', experimental_instructions_file: '/h/instructions.md' },
    ],
    ['0.113.0', { model_instructions_file: '/h/instructions.md' }],
    ['0.171.0', { model_instructions_file: '/h/instructions.md' }],
    ['unknown', { model_instructions_file: '/h/instructions.md' }],
  ])('a replaced system prompt is a file, under the name that %s knows', (version, names) => {
    const options = { systemPrompt: { replace: 'You are a parrot.' } }
    expect(settings(version, options)).toEqual({ approval_policy: 'never', ...names })
    expect(launch(version, options).files[1]).toEqual({
      path: 'instructions.md',
      content: 'You are a parrot.',
    })
  })

  it("go to argv where the configuration is the user's", () => {
    const { arguments: argv, files } = launch(
      '0.171.0',
      {
        model: 'm',
        effort: 'low',
        systemPrompt: { append: 'a\n"b"', replace: 'r' },
        projectInstructions: false,
      },
      inUserHome,
    )
    expect(argv.filter((word) => word !== '-c').slice(3, -3)).toEqual([
      'model="m"',
      'model_reasoning_effort="low"',
      'developer_instructions="a\\n\\"b\\""',
      'model_instructions_file="/t/instructions.md"',
      'project_doc_max_bytes=0',
    ])
    expect(files).toEqual([{ path: 'instructions.md', content: 'r' }])
  })

  it('leave AGENTS.md out on demand', () => {
    expect(settings('0.55.0', { projectInstructions: false })).toEqual({
      approval_policy: 'never',
      project_doc_max_bytes: 0,
    })
  })
})

describe('approvals and sandbox', () => {
  it.each<[Partial<LaunchOptions>, object]>([
    [{ approvals: 'deny' }, { approval_policy: 'never' }],
    [
      { approvals: 'deny', sandbox: 'read-only' },
      { approval_policy: 'never', sandbox_mode: 'read-only' },
    ],
    [{ approvals: 'deny', network: false }, { approval_policy: 'never' }],
    [
      { approvals: 'deny', sandbox: 'workspace-write' },
      { approval_policy: 'never', sandbox_mode: 'workspace-write' },
    ],
    [
      { approvals: 'deny', sandbox: 'workspace-write', network: true },
      {
        approval_policy: 'never',
        sandbox_mode: 'workspace-write',
        sandbox_workspace_write: { network_access: true },
      },
    ],
    [
      { approvals: 'deny', sandbox: 'workspace-write', network: false },
      {
        approval_policy: 'never',
        sandbox_mode: 'workspace-write',
        sandbox_workspace_write: { network_access: false },
      },
    ],
    [
      { approvals: 'deny', sandbox: 'off' },
      { approval_policy: 'never', sandbox_mode: 'danger-full-access' },
    ],
    [
      { approvals: 'auto' },
      { approval_policy: 'on-request', approvals_reviewer: 'auto_review', sandbox_mode: 'workspace-write' },
    ],
    [
      { approvals: 'auto', sandbox: 'read-only' },
      { approval_policy: 'on-request', approvals_reviewer: 'auto_review', sandbox_mode: 'read-only' },
    ],
    [{ approvals: 'approve-all' }, { approval_policy: 'never', sandbox_mode: 'danger-full-access' }],
    [
      { approvals: 'approve-all', network: true },
      { approval_policy: 'never', sandbox_mode: 'danger-full-access' },
    ],
    [
      { approvals: 'approve-all', sandbox: 'workspace-write' },
      { approval_policy: 'never', sandbox_mode: 'workspace-write' },
    ],
  ])('%j', (options, expected) => {
    expect(settings('0.171.0', options)).toEqual(expected)
  })

  it.each<[Partial<LaunchOptions>]>([
    [{ network: true }],
    [{ sandbox: 'read-only', network: true }],
    [{ sandbox: 'off', network: false }],
    [{ approvals: 'approve-all', network: false }],
  ])('%j can not be honoured', (options) => {
    expect(() => launch('0.171.0', options)).toThrow(
      expect.objectContaining({ code: 'unsupported', message: expect.stringContaining('network') }),
    )
  })

  it.each(['0.55.0', '0.113.0', '0.130.0'])("'auto' needs a reviewer, which %s has not", (version) => {
    expect(() => launch(version, { approvals: 'auto' })).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        hint: "Use codex 0.140.0 or newer, or approvals: 'deny'.",
      }),
    )
  })
})

describe('the project', () => {
  it.each(['0.55.0', '0.147.0', '0.168.0', 'unknown'])(
    'is not trusted by %s because the turn may write in it',
    (version) => {
      for (const options of [
        { approvals: 'approve-all' },
        { sandbox: 'workspace-write' },
        { sandbox: 'off' },
      ] as const) {
        // On the command line: 0.124.0 writes its own trust over the file's.
        expect(launch(version, options).arguments).toEqual([
          ...['exec', '--json', '--skip-git-repo-check', '-c', `projects=${untrusted}`, '-'],
        ])
        expect(settings(version, options)).not.toHaveProperty('projects')
      }
    },
  )

  it('is meant by its real path', () => {
    expect(launch('0.147.0', { sandbox: 'off' }, { realCwd: '/real' }).arguments).toContain(
      'projects={ "/real" = { "trust_level" = "untrusted" }, "/" = { "trust_level" = "untrusted" } }',
    )
  })

  it.each([
    ['0.147.0', {}],
    ['0.147.0', { sandbox: 'read-only' }],
    ['0.171.0', { sandbox: 'off' }],
  ] as const)('keeps its AGENTS.md under %s with %j, where nothing trusts it', (version, options) => {
    expect(settings(version, options)).not.toHaveProperty('projects')
    expect(launch(version, options).arguments).not.toContain('-c')
  })

  it.each([
    ['0.55.0', []],
    ['0.130.0', []],
    ['0.131.0', ['--dangerously-bypass-hook-trust']],
    ['0.171.0', ['--dangerously-bypass-hook-trust']],
    ['unknown', []],
  ])('is trusted by %s where that is asked for, hooks included', (version, flags) => {
    const options = { projectConfiguration: 'trust', approvals: 'approve-all' } as const
    expect(settings(version, options)).toMatchObject({
      projects: {
        '/': { trust_level: 'trusted' },
        '/w': { trust_level: 'trusted' },
        '/w/project': { trust_level: 'trusted' },
      },
    })
    expect(launch(version, options).arguments).toEqual([
      ...['exec', '--json', '--skip-git-repo-check', '-c', 'model_provider="openai"', ...flags, '-'],
    ])
  })

  it('has no say in where requests go, also where it is trusted; no password stands on a command line for that', () => {
    const said = (url: string) =>
      launch('0.113.0', { projectConfiguration: 'trust', endpoint: { url, credential: 'k' } }).arguments
    expect(said('http://127.0.0.1:9/v1').slice(3, -1)).toEqual([
      '-c',
      'model_provider="coxswain"',
      '-c',
      'model_providers.coxswain.name="coxswain"',
      '-c',
      'model_providers.coxswain.base_url="http://127.0.0.1:9/v1"',
      '-c',
      'model_providers.coxswain.wire_api="responses"',
      '-c',
      'model_providers.coxswain.env_key="COXSWAIN_ENDPOINT_KEY"',
    ])
    expect(said('http://user:word@127.0.0.1:9/v1')).toEqual(['exec', '--json', '--skip-git-repo-check', '-'])
  })
})

describe('skills', () => {
  const skills = { user: ['/u/SKILL.md'], project: ['/p/SKILL.md'] }
  const off = (path: string) => ({ path, enabled: false })
  const listed = (options: Partial<LaunchOptions>, version = '0.171.0') => {
    const context = { surroundings: { skills, consulted: {} } }
    const { content } = launch(version, options, context).files[0] ?? { content: '' }
    return parse(content).skills
  }

  it('are all turned off, each by its path', () => {
    expect(listed({})).toEqual({
      include_instructions: false,
      bundled: { enabled: false },
      config: [off('/u/SKILL.md'), off('/p/SKILL.md')],
    })
  })

  it("are the project's alone, where it is trusted", () => {
    expect(listed({ projectConfiguration: 'trust' })).toEqual({
      bundled: { enabled: false },
      config: [off('/u/SKILL.md')],
    })
  })

  it("are the user's in the user's home", () => {
    const context = { ...inUserHome, surroundings: { skills, consulted: {} } }
    expect(launch('0.171.0', { home: 'user' }, context).arguments).toContain(
      'skills.config=[{ "path" = "/p/SKILL.md", "enabled" = false }]',
    )
  })
})

describe('an endpoint', () => {
  const endpoint = {
    url: 'http://127.0.0.1:4000/v1/',
    credential: 'secret-1',
    headers: { 'X-Team': 'secret-2', 'X-Other': 'b' },
  }

  it('is a provider of its own; what is secret of it is in the environment alone', () => {
    const planned = launch('0.171.0', { endpoint })
    expect(settings('0.171.0', { endpoint })).toEqual({
      approval_policy: 'never',
      model_provider: 'coxswain',
      model_providers: {
        coxswain: {
          name: 'coxswain',
          base_url: 'http://127.0.0.1:4000/v1',
          wire_api: 'responses',
          env_key: 'COXSWAIN_ENDPOINT_KEY',
          env_http_headers: {
            'X-Team': 'COXSWAIN_ENDPOINT_HEADER_0',
            'X-Other': 'COXSWAIN_ENDPOINT_HEADER_1',
          },
        },
      },
    })
    expect(planned.environment).toEqual({
      COXSWAIN_ENDPOINT_KEY: 'secret-1',
      COXSWAIN_ENDPOINT_HEADER_0: 'secret-2',
      COXSWAIN_ENDPOINT_HEADER_1: 'b',
    })
    expect(JSON.stringify([planned.arguments, planned.files])).not.toContain('secret')
  })

  it('without a credential gets a dummy, since codex does not start without one', () => {
    expect(launch('0.171.0', { endpoint: { url: 'http://h/v1' } }).environment).toEqual({
      COXSWAIN_ENDPOINT_KEY: 'none',
    })
  })
})

describe('configuration', () => {
  it('is merged in, over what keeps the home private and under what options own', () => {
    const { content } = launch('0.171.0', {
      endpoint: { url: 'http://h/v1' },
      configuration: {
        web_search: 'disabled',
        features: { apps: true, goals: false },
        model_providers: { coxswain: { request_max_retries: 1 } },
      },
    }).files[0] ?? { content: '' }
    expect(parse(content)).toEqual({
      check_for_update_on_startup: false,
      web_search: 'disabled',
      approval_policy: 'never',
      model_provider: 'coxswain',
      skills: { include_instructions: false, bundled: { enabled: false } },
      features: { apps: true, plugins: false, remote_plugin: false, shell_snapshot: false, goals: false },
      shell_environment_policy: {
        ignore_default_excludes: true,
        exclude: ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'COXSWAIN_ENDPOINT_*', 'COXSWAIN_MCP_*'],
      },
      model_providers: {
        coxswain: {
          name: 'coxswain',
          base_url: 'http://h/v1',
          wire_api: 'responses',
          env_key: 'COXSWAIN_ENDPOINT_KEY',
          request_max_retries: 1,
        },
      },
    })
  })

  it('that TOML has no form for is refused', () => {
    expect(() => launch('0.171.0', { configuration: { web_search: null } })).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining('web_search') }),
    )
  })

  it.each([
    [{ model: 'x' }, 'model'],
    [{ approval_policy: 'never' }, 'approvals'],
    [{ sandbox_mode: 'read-only' }, 'sandbox'],
    [{ sandbox_workspace_write: { network_access: true } }, 'network'],
    [{ developer_instructions: 'x' }, 'systemPrompt'],
    [{ mcp_servers: { x: {} } }, 'mcpServers'],
    [{ projects: { '/w': { trust_level: 'trusted' } } }, 'projectConfiguration'],
    [{ model_provider: 'x' }, 'endpoint'],
    [{ model_providers: { coxswain: { base_url: 'x' } } }, 'endpoint'],
    [{ profile: 'x' }, 'configuration'],
  ])('%j belongs to an option', (configuration, option) => {
    expect(() => checkTurnOptions({ adapter: codexCli, prompt: 'x', configuration })).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(`\`${option}\``) }),
    )
  })

  it.each([
    [['-m', 'x'], 'model'],
    [['-mx'], 'model'],
    [['--config=model="x"'], 'configuration'],
    [['-c', 'x=1'], 'configuration'],
    [['--yolo'], 'approvals'],
    [['-C/x'], 'cwd'],
    [['--json'], 'transport'],
    [['--ephemeral'], 'conversations'],
    [['--trust'], 'projectConfiguration'],
  ])('%j belongs to an option', (flags, option) => {
    expect(() => checkTurnOptions({ adapter: codexCli, prompt: 'x', arguments: flags })).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(`\`${option}\``) }),
    )
  })
})
