import { describe, expect, it } from 'vitest'
import type { LaunchOptions } from '../../../src/adapters/launch-options.ts'
import { piCli } from '../../../src/adapters/pi-cli.ts'
import { always, kept, launch, newer, older, plain, versions } from './launching.ts'

/** Before 0.79 the project's own system prompts are kept out one by one. */
const noPrompts = ['--system-prompt', '', '--append-system-prompt', '']

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
