import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import type { LaunchContext } from '../../../src/adapters/adapter.ts'
import { launchAppServer } from '../../../src/adapters/codex-cli/live-launch.ts'
import type { LiveLaunchOptions } from '../../../src/adapters/launch-options.ts'
import { plainLiveLaunch } from '../launching.ts'

const plain: LiveLaunchOptions = { ...plainLiveLaunch, cwd: '/w/project' }
const conversation = '01a00000-0000-7000-8000-000000000001'

function launch(options: Partial<LiveLaunchOptions> = {}, context: Partial<LaunchContext> = {}) {
  return launchAppServer(
    { ...plain, ...options },
    { version: '0.171.0', home: '/h', directory: '/h', platform: 'linux', isRoot: false, ...context },
  )
}

function settings(options: Partial<LiveLaunchOptions> = {}, context: Partial<LaunchContext> = {}) {
  const file = launch(options, context).files.find(({ path }) => path === 'config.toml')
  return parse(file?.content ?? '')
}

describe('the conversation', () => {
  it('that is new names no directory: app-server would trust it', () => {
    expect(launch().opening).toEqual({
      method: 'thread/start',
      params: { approvalPolicy: 'never', sandbox: 'read-only' },
    })
  })

  it.each([
    [false, 'thread/resume'],
    [true, 'thread/fork'],
  ])('that is gone on with comes without its old turns (fork: %s)', (fork, method) => {
    const { opening } = launch({ resume: conversation, fork, model: 'm' }, { realCwd: '/real' })
    expect(opening).toEqual({
      method,
      params: {
        threadId: conversation,
        excludeTurns: true,
        cwd: '/real',
        model: 'm',
        approvalPolicy: 'never',
        sandbox: 'read-only',
      },
    })
  })

  it('that has no id of codex is rejected before anything starts', () => {
    expect(() => launch({ resume: '--last' })).toThrow('No codex conversation has the id "--last".')
  })

  it.each([
    ['deny', { approvalPolicy: 'never', sandbox: 'read-only' }],
    ['auto', { approvalPolicy: 'on-request', approvalsReviewer: 'auto_review', sandbox: 'workspace-write' }],
    ['approve-all', { approvalPolicy: 'never', sandbox: 'danger-full-access' }],
    ['host', { approvalPolicy: 'untrusted', sandbox: 'workspace-write' }],
  ] as const)("says what approvals: '%s' means", (approvals, params) => {
    expect(launch({ approvals }).opening.params).toEqual(params)
  })

  it("lets a trusted project's hooks run, for which app-server has no flag", () => {
    const { opening, arguments: words } = launch({ projectConfiguration: 'trust' })
    expect(opening.params).toMatchObject({ config: { bypass_hook_trust: true } })
    expect(words.join(' ')).not.toContain('hook')
  })
})

describe('questions', () => {
  it('can be asked of a host, and of nobody else', () => {
    expect(settings({ approvals: 'host' })).toMatchObject({
      // 0.171 takes 'untrusted' no more here.
      approval_policy: 'on-request',
      features: { default_mode_request_user_input: true, shell_snapshot: false },
      suppress_unstable_features_warning: true,
    })
    for (const approvals of ['deny', 'auto', 'approve-all'] as const) {
      expect(settings({ approvals })).not.toHaveProperty('features.default_mode_request_user_input')
    }
  })
})

describe('the key', () => {
  const provider = (base_url: string) => ({
    model_provider: 'coxswain',
    model_providers: {
      coxswain: { name: 'coxswain', base_url, wire_api: 'responses', env_key: 'CODEX_API_KEY' },
    },
  })

  it('is named to a provider, since app-server takes it from no variable by itself', () => {
    expect(settings({}, { credentials: ['api-key'] })).toMatchObject(provider('https://api.openai.com/v1'))
  })

  it('goes to the forwarder where it is hidden', () => {
    const forwarders = { 'api-key': 'http://127.0.0.1:1/v1' }
    const context = { credentials: ['api-key'], forwarders }
    expect(settings({}, context)).toMatchObject(provider('http://127.0.0.1:1/v1'))
    expect(settings({}, context)).not.toHaveProperty('openai_base_url')
  })

  it('leaves the built-in provider alone where there is none, and an endpoint its own', () => {
    expect(settings({}, { credentials: ['access-token'] })).not.toHaveProperty('model_provider')
    const endpoint = { url: 'http://h/v1' }
    expect(settings({ endpoint }, { credentials: ['api-key'] })).toMatchObject({
      model_providers: { coxswain: { base_url: 'http://h/v1', env_key: 'COXSWAIN_ENDPOINT_KEY' } },
    })
  })

  it('never stands on argv', () => {
    const words = launch(
      { home: 'user' },
      { home: undefined, directory: '/t', credentials: ['api-key'] },
    ).arguments
    expect(words[0]).toBe('app-server')
    expect(words).toContain('model_providers.coxswain.env_key="CODEX_API_KEY"')
  })
})
