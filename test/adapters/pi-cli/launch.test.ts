import { describe, expect, it } from 'vitest'
import { piCli } from '../../../src/adapters/pi-cli.ts'
import { checkTurnOptions } from '../../../src/options/check.ts'
import type { LaunchOptions } from '../../../src/options/turn-options.ts'
import { launch, plain } from './launching.ts'

const always = ['--print', '--mode', 'json', '--no-extensions', '--no-skills', '--no-prompt-templates']
const kept = ['--session-dir', '/h/sessions/--w-project--']
/** Before 0.79 the project's own system prompts are kept out one by one. */
const noPrompts = ['--system-prompt', '', '--append-system-prompt', '']
const versions = ['0.63.2', '0.73.1', '0.85.1', '1.6.0', 'unknown'] as const
const newer = ['0.85.1', '1.6.0', 'unknown'] as const
const older = ['0.63.2', '0.73.1'] as const

describe('a plain turn', () => {
  it.each(older)('of %s', (version) => {
    expect(launch(version)).toEqual({
      arguments: [...always, ...noPrompts, ...kept],
      environment: {
        PI_OFFLINE: '1',
        PI_SKIP_VERSION_CHECK: '1',
        PI_TELEMETRY: '0',
        PI_CODING_AGENT_DIR: '/h',
        PI_CODING_AGENT_SESSION_DIR: '',
      },
      files: [{ path: 'settings.json', content: '{\n  "enableInstallTelemetry": false\n}\n' }],
      stdin: 'Hello.',
      firstSignal: 'SIGTERM',
    })
  })

  it.each(newer)('of %s', (version) => {
    expect(launch(version)).toEqual({
      arguments: [...always, '--no-approve', ...kept],
      environment: {
        PI_OFFLINE: '1',
        PI_SKIP_VERSION_CHECK: '1',
        PI_TELEMETRY: '0',
        PI_CODING_AGENT_DIR: '/h',
        PI_CODING_AGENT_SESSION_DIR: '',
      },
      files: [
        {
          path: 'settings.json',
          content: '{\n  "enableInstallTelemetry": false,\n  "defaultProjectTrust": "never"\n}\n',
        },
      ],
      stdin: 'Hello.',
      firstSignal: 'SIGTERM',
    })
  })

  it("of home: 'user' plans no file there and moves nothing", () => {
    const planned = launch('1.6.0', { home: 'user' }, { home: undefined, directory: '/t' })
    expect(planned.files).toEqual([])
    expect(planned.environment).toEqual({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' })
    expect(launch('0.73.1', { home: 'user' }, { home: undefined, directory: '/t' }).arguments).toEqual(always)
  })
})

describe('the prompt', () => {
  it.each(['@plan hi', '/compact', '- x', '--help', 'x'.repeat(8_000_000)])(
    'goes to stdin as it is: %.20s',
    (text) => {
      const planned = launch('1.6.0', { prompt: [{ type: 'text', text }] })
      expect(planned.stdin).toBe(text)
      expect(planned.arguments).toEqual([...always, '--no-approve', ...kept])
    },
  )

  it('joins its texts line by line and sends images as files', () => {
    const planned = launch('1.6.0', {
      prompt: [
        { type: 'text', text: 'Compare' },
        { type: 'image', mimeType: 'image/png', data: 'aGk=' },
        { type: 'text', text: 'with' },
        { type: 'image', mimeType: 'image/jpeg', data: 'aG8=' },
      ],
    })
    expect(planned.stdin).toBe('Compare\nwith')
    expect(planned.arguments.slice(-2)).toEqual(['@/h/image-1.png', '@/h/image-2.jpg'])
    expect(planned.files.slice(1)).toEqual([
      { path: 'image-1.png', content: 'aGk=', encoding: 'base64' },
      { path: 'image-2.jpg', content: 'aG8=', encoding: 'base64' },
    ])
  })

  it('with an image that pi does not take is refused', () => {
    const prompt: LaunchOptions['prompt'] = [{ type: 'image', mimeType: 'image/tiff', data: 'aGk=' }]
    expect(() => launch('1.6.0', { prompt })).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        message: 'pi-cli cannot send an image of type image/tiff.',
      }),
    )
  })
})

describe('effort', () => {
  it.each([
    ['0.63.2', 'none', 'off'],
    ['0.63.2', 'max', 'xhigh'],
    ['0.80.5', 'max', 'xhigh'],
    ['0.80.6', 'max', 'max'],
    ['1.6.0', 'off', 'off'],
    ['1.6.0', 'minimal', 'minimal'],
    ['1.6.0', 'max', 'max'],
  ])('in %s: %s is --thinking %s', (version, effort, level) => {
    const { arguments: argv } = launch(version, { effort })
    expect(argv.slice(argv.indexOf('--thinking'))[1]).toBe(level)
  })
})

describe('the system prompt', () => {
  it.each(versions)('lies in files (%s)', (version) => {
    const planned = launch(version, { systemPrompt: { append: 'Be kind.', replace: 'You row.' } })
    expect(planned.arguments).toEqual(
      expect.arrayContaining([
        '--system-prompt',
        '/h/system-prompt.md',
        '--append-system-prompt',
        '/h/append-system-prompt.md',
      ]),
    )
    expect(planned.arguments).not.toContain('')
    expect(planned.files.slice(1)).toEqual([
      { path: 'system-prompt.md', content: 'You row.' },
      { path: 'append-system-prompt.md', content: 'Be kind.' },
    ])
  })
})

describe('conversations', () => {
  it.each([
    ['1.6.0', false, ['--no-approve', ...kept, '--session', '01a2-b3']],
    ['1.6.0', true, ['--no-approve', '--fork', '01a2-b3']],
    ['0.63.2', false, [...noPrompts, ...kept, '--session', '01a2-b3']],
    ['0.63.2', true, [...noPrompts, '--fork', '01a2-b3']],
  ])('go on in %s (fork: %s)', (version, fork, expected) => {
    expect(launch(version, { resume: '01a2-b3', fork }).arguments).toEqual([...always, ...expected])
  })

  it.each(['../x', '/h/s.jsonl', 's.jsonl', '-x', ''])(
    'are not named by a path or a flag: "%s"',
    (resume) => {
      expect(() => launch('1.6.0', { resume })).toThrow(expect.objectContaining({ code: 'invalid_options' }))
    },
  )
})

describe('a trusted project', () => {
  const trust = { projectConfiguration: 'trust' } as const

  it.each(newer)('brings all of its own along in %s', (version) => {
    expect(launch(version, trust).arguments).toEqual(['--print', '--mode', 'json', '--approve', ...kept])
  })

  it.each(older)('needs no word for it in %s', (version) => {
    expect(launch(version, trust).arguments).toEqual(['--print', '--mode', 'json', ...kept])
  })

  it.each(versions)('does not bring the skills below HOME along in %s', (version) => {
    const { content } = launch(version, trust).files[0] ?? { content: '' }
    expect(JSON.parse(content)).toMatchObject({ skills: ['!**', '!**/.*'] })
  })

  it.each([
    ['/sing', '\u200b/sing'],
    [' \n/sing', '\u200b \n/sing'],
    ['sing /now', 'sing /now'],
  ])('runs none of its commands from the prompt %j', (text, stdin) => {
    expect(launch('1.6.0', { ...trust, prompt: [{ type: 'text', text }] }).stdin).toBe(stdin)
    expect(launch('1.6.0', { prompt: [{ type: 'text', text }], arguments: ['-e', '/e.ts'] }).stdin).toBe(
      stdin,
    )
    expect(launch('1.6.0', { prompt: [{ type: 'text', text }] }).stdin).toBe(text)
  })
})

describe('project settings that run a program', () => {
  const within = (settings: string) => ({
    surroundings: { skills: { user: [], project: [] }, consulted: { '.pi/settings.json': settings } },
  })
  const prefix = '{ "shellCommandPrefix": "touch /x", "npmCommand": ["sh"] }'

  it.each(['0.63.2', '0.78.9'])('keep %s from starting, which cannot ignore them', (version) => {
    expect(() => launch(version, {}, within(prefix))).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        message: `pi-cli ${version} cannot ignore shellCommandPrefix and npmCommand in the project's .pi/settings.json, which needs 0.79.0.`,
      }),
    )
  })

  it.each([
    ['0.79.0', {}, prefix],
    ['0.73.1', { projectConfiguration: 'trust' }, prefix],
    ['0.73.1', {}, '{ "theme": "dark" }'],
    ['0.73.1', {}, 'no JSON'],
  ] as const)('are no hindrance to %s with %j where they say %s', (version, options, settings) => {
    expect(() => launch(version, options, within(settings))).not.toThrow()
  })
})

describe('project instructions', () => {
  it.each(['0.67.4', '0.73.1', '1.6.0'])('can be left out in %s', (version) => {
    expect(launch(version, { projectInstructions: false }).arguments).toContain('--no-context-files')
  })

  it.each(['0.63.2', '0.67.3'])('cannot be left out in %s', (version) => {
    expect(() => launch(version, { projectInstructions: false })).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        message: `pi-cli ${version} cannot honour projectInstructions: false, which needs 0.67.4.`,
      }),
    )
  })
})

describe('configuration and arguments', () => {
  it('are passed on, after our own', () => {
    const planned = launch('1.6.0', {
      configuration: { retry: { enabled: false }, enableInstallTelemetry: true },
      arguments: ['--extension', '/e.ts'],
      model: 'anthropic/claude-opus-4-5',
    })
    expect(planned.arguments).toEqual([
      ...always,
      '--no-approve',
      '--model',
      'anthropic/claude-opus-4-5',
      ...kept,
      '--extension',
      '/e.ts',
    ])
    expect(JSON.parse(planned.files[0]?.content ?? '')).toEqual({
      enableInstallTelemetry: true,
      defaultProjectTrust: 'never',
      retry: { enabled: false },
    })
  })

  it.each([
    [{ arguments: ['--session-dir', '/x'] }, 'conversations'],
    [{ arguments: ['--mode=rpc'] }, 'transport'],
    [{ arguments: ['-nc'] }, 'projectInstructions'],
    [{ arguments: ['--api-key', 'k'] }, 'credentials'],
    [{ configuration: { sessionDir: '/x' } }, 'conversations'],
    [{ configuration: { extensions: ['/e.ts'] } }, 'arguments'],
    [{ configuration: { defaultModel: 'm' } }, 'model'],
  ])('that an option owns are refused: %o', (options, owner) => {
    expect(() => checkTurnOptions({ adapter: 'pi-cli', prompt: 'Hi', ...options })).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(`\`${owner}\``) }),
    )
  })

  it.each([
    [{ sandbox: 'read-only' }],
    [{ sandbox: 'workspace-write' }],
    [{ network: false }],
    [{ approvals: 'auto' }],
    [{ promptExpansion: true }],
    [{ backgroundTasks: 'wait' }],
    [{ effort: 'colossal' }],
  ])('that pi cannot honour are refused: %o', (options) => {
    expect(() => checkTurnOptions({ adapter: 'pi-cli', prompt: 'Hi', ...options })).toThrow(
      expect.objectContaining({ code: 'unsupported' }),
    )
  })

  it.each([
    [{ sandbox: 'off' }],
    [{ network: true }],
    [{ approvals: 'approve-all' }],
    [{ backgroundTasks: 'forbid' }],
  ])('that change nothing are accepted: %o', (options) => {
    expect(() => checkTurnOptions({ adapter: 'pi-cli', prompt: 'Hi', ...options })).not.toThrow()
  })
})

describe('endpoint', () => {
  const endpoint = {
    url: 'http://127.0.0.1:9/v1/',
    api: 'openai-chat' as const,
    credential: 'sk-secret',
    headers: { 'x-team': '!rm -rf /', 'x-empty': '', 'x-cost': '$HOME' },
  }

  it.each([
    ['0.63.2', 'PI_ENDPOINT_KEY', 'PI_ENDPOINT_HEADER_1', 'PI_ENDPOINT_HEADER_2'],
    ['0.76.0', 'PI_ENDPOINT_KEY', 'PI_ENDPOINT_HEADER_1', 'PI_ENDPOINT_HEADER_2'],
    ['0.77.0', '$PI_ENDPOINT_KEY', '$PI_ENDPOINT_HEADER_1', '$PI_ENDPOINT_HEADER_2'],
    ['1.6.0', '$PI_ENDPOINT_KEY', '$PI_ENDPOINT_HEADER_1', '$PI_ENDPOINT_HEADER_2'],
  ])('is a provider of its own in %s, its secrets in variables', (version, apiKey, first, second) => {
    const planned = launch(version, { endpoint, model: 'qwen/qwen3:free' })
    expect(planned.files[0]?.path).toBe('models.json')
    expect(JSON.parse(planned.files[0]?.content ?? '')).toEqual({
      providers: {
        coxswain: {
          baseUrl: 'http://127.0.0.1:9/v1',
          api: 'openai-completions',
          apiKey,
          headers: { 'x-team': first, 'x-cost': second },
          models: [{ id: 'qwen/qwen3:free', reasoning: false, input: ['text', 'image'] }],
        },
      },
    })
    expect(planned.environment).toMatchObject({
      PI_ENDPOINT_KEY: 'sk-secret',
      PI_ENDPOINT_HEADER_1: '!rm -rf /',
      PI_ENDPOINT_HEADER_2: '$HOME',
    })
    const argv = planned.arguments.join(' ')
    expect(argv).toContain('--provider coxswain --model qwen/qwen3:free')
    expect(argv).not.toContain('sk-secret')
  })

  it.each([
    ['anthropic', 'anthropic-messages', 'claude-sonnet-4-5'],
    ['openai-responses', 'openai-responses', 'gpt-5.1'],
    ['openai-chat', 'openai-completions', 'gpt-5.1'],
  ] as const)('speaks %s, with a dummy key and a model where none is given', (api, piApi, model) => {
    const planned = launch('1.6.0', { endpoint: { url: 'http://127.0.0.1:9', api }, effort: 'low' })
    expect(JSON.parse(planned.files[0]?.content ?? '').providers.coxswain).toEqual({
      baseUrl: 'http://127.0.0.1:9',
      api: piApi,
      apiKey: '$PI_ENDPOINT_KEY',
      models: [{ id: model, reasoning: true, input: ['text', 'image'] }],
    })
    expect(planned.environment.PI_ENDPOINT_KEY).toBe('unused')
  })

  it('thinks only when an effort is asked for', () => {
    const thinks = (effort?: string) => {
      const planned = launch('1.6.0', { endpoint, ...(effort !== undefined && { effort }) })
      return JSON.parse(planned.files[0]?.content ?? '').providers.coxswain.models[0].reasoning
    }
    expect([thinks(), thinks('off'), thinks('none'), thinks('minimal')]).toEqual([false, false, false, true])
  })

  it('needs a home of ours', () => {
    expect(() => launch('1.6.0', { endpoint, home: 'user' }, { home: undefined, directory: '/t' })).toThrow(
      expect.objectContaining({ code: 'unsupported' }),
    )
  })
})

describe('a process for many turns', () => {
  const { prompt: _, ...settings } = plain
  const live = (version: string, options: Partial<LaunchOptions> = {}) =>
    piCli.live?.launch(
      { ...settings, ...options },
      { version, home: '/h', directory: '/h', platform: 'linux', isRoot: false },
    )

  it.each(versions)('of %s is the same but for its mode, and has no prompt', (version) => {
    const { stdin: __, ...one } = launch(version, { resume: 's-1', model: 'p/m', effort: 'high' })
    const { opening, ...many } = live(version, { resume: 's-1', model: 'p/m', effort: 'high' }) ?? {}
    expect(one.arguments.slice(0, 3)).toEqual(['--print', '--mode', 'json'])
    expect(many).toEqual({ ...one, arguments: ['--mode', 'rpc', ...one.arguments.slice(3)] })
  })

  it.each([
    ['0.63.2', [], { settles: false, clearsQueue: false, hasCommands: false }],
    ['0.80.4', [], { settles: true, clearsQueue: false, hasCommands: false }],
    ['1.6.0', ['-e', '/x.ts'], { settles: true, clearsQueue: true, hasCommands: true }],
    ['unknown', ['--skill=/x'], { settles: true, clearsQueue: true, hasCommands: true }],
    ['1.6.0', ['--offline'], { settles: true, clearsQueue: true, hasCommands: false }],
  ])('of %s with %j knows what the protocol has', (version, more, opening) => {
    expect(live(version, { arguments: more })?.opening).toEqual(opening)
  })
})
