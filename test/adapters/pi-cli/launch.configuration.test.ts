import { describe, expect, it } from 'vitest'
import { checkTurnOptions } from '../../../src/options/check.ts'
import { always, kept, launch } from './launching.ts'

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
