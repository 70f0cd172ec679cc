import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { TurnOptions } from '../../src/index.ts'
import { checkTurnOptions } from '../../src/options/check.ts'
import { demandExposure, exposureNotice, judgeExposure } from '../../src/run/exposure.ts'
import { planTurn } from '../../src/run/plan-turn.ts'
import { scratchFile } from './probe.ts'

const versions = {
  'claude-code': '2.1.332',
  'codex-cli': '0.171.0',
  'pi-cli': '1.6.0',
  'cursor-cli': '2026.10.01',
}
const key = 'sk-only-for-this-test-9876543210'

interface Case {
  adapter: keyof typeof versions
  version?: string
  options?: Partial<TurnOptions>
  variables?: Record<string, string>
  /** A file of the user's HOME, and what is in it. */
  file?: [string, string]
}

function planFor({ adapter, options, variables, file }: Case) {
  const userHome = scratchFile('user')
  const path = join(userHome, file?.[0] ?? 'nothing')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, file?.[1] ?? '')
  const environment = { HOME: userHome, XDG_STATE_HOME: '/var/lib/nobody', ...variables }
  return planTurn(checkTurnOptions({ adapter, prompt: 'hello', environment, ...options }), 'turn-1')
}

const judge = (one: Case) => judgeExposure(planFor(one), one.version ?? versions[one.adapter])

const codexKey = { credentials: { values: { CODEX_API_KEY: key } } }
const endpoint = { url: 'http://127.0.0.1:9/v1', credential: key }

test.each<[string, Case, string[]]>([
  ["claude's key", { adapter: 'claude-code', variables: { ANTHROPIC_API_KEY: key } }, ['pipe']],
  [
    "an older claude's key",
    { adapter: 'claude-code', version: '2.0.72', variables: { ANTHROPIC_API_KEY: key } },
    ['forwarder https://api.anthropic.com'],
  ],
  ["claude's OAuth token", { adapter: 'claude-code', variables: { CLAUDE_CODE_OAUTH_TOKEN: key } }, ['pipe']],
  [
    "claude's key beside secret headers",
    {
      adapter: 'claude-code',
      variables: {
        ANTHROPIC_API_KEY: key,
        ANTHROPIC_BASE_URL: 'https://gateway.example',
        ANTHROPIC_CUSTOM_HEADERS: 'X-Key: v',
      },
    },
    ['forwarder https://gateway.example'],
  ],
  ["claude's endpoint", { adapter: 'claude-code', options: { endpoint } }, ['pipe']],
  [
    "claude's endpoint, in a project whose settings may send it elsewhere",
    { adapter: 'claude-code', options: { endpoint, projectConfiguration: 'trust' } },
    ['forwarder http://127.0.0.1:9/v1'],
  ],
  [
    "claude's key, in a project whose settings may send it elsewhere",
    {
      adapter: 'claude-code',
      variables: { ANTHROPIC_API_KEY: key },
      options: { projectConfiguration: 'trust' },
    },
    ['forwarder https://api.anthropic.com'],
  ],
  ["codex's key", { adapter: 'codex-cli', options: codexKey }, ['forwarder https://api.openai.com/v1']],
  ["codex's endpoint", { adapter: 'codex-cli', options: { endpoint } }, ['forwarder http://127.0.0.1:9/v1']],
  [
    "pi's sets, all of them",
    {
      adapter: 'pi-cli',
      variables: { GROQ_API_KEY: key, ANTHROPIC_OAUTH_TOKEN: 'sk-ant-oat01-another-one' },
    },
    ['forwarder https://api.anthropic.com', 'forwarder https://api.groq.com/openai/v1'],
  ],
])('hidden: %s', (_, one, expected) => {
  const verdict = judge(one)
  const means = verdict.exposure === 'hidden' ? verdict.means : []
  expect(means.map((each) => (each.by === 'pipe' ? 'pipe' : `forwarder ${each.url}`))).toEqual(expected)
})

test('a sign-in file that holds no login and no token is no credential', () => {
  expect(judge({ adapter: 'pi-cli', file: ['.pi/agent/auth.json', '{}'] })).toEqual({ exposure: 'none' })
  const token = '{"other":{"token":"tttttttttttttttttttt"}}'
  expect(judge({ adapter: 'codex-cli', file: ['.codex/auth.json', token] })).toMatchObject({
    exposure: 'visible',
  })
})

test.each<[string, Case, RegExp]>([
  [
    'a sign-in',
    { adapter: 'codex-cli', file: ['.codex/auth.json', '{"OPENAI_API_KEY":"key"}'] },
    /the user's sign-in, .*\.codex\/auth\.json/,
  ],
  [
    'a CLI that takes its key from the environment alone',
    { adapter: 'cursor-cli', variables: { CURSOR_API_KEY: key } },
    /in the environment of Cursor/,
  ],
  [
    'one set of several',
    { adapter: 'pi-cli', variables: { GROQ_API_KEY: key, GEMINI_API_KEY: 'another-key-0123' } },
    /the set "google"/,
  ],
  [
    'the same value, granted under another name',
    { adapter: 'codex-cli', options: { ...codexKey, scope: { SECRET_COPY: `Bearer ${key}` } } },
    /as SECRET_COPY, which was granted/,
  ],
  [
    'the prompt',
    { adapter: 'codex-cli', options: { ...codexKey, prompt: `Use ${key}.` } },
    /what the turn was told/,
  ],
  [
    'a sign-in file with the same key',
    { adapter: 'codex-cli', options: codexKey, file: ['.codex/auth.json', `{"OPENAI_API_KEY":"${key}"}`] },
    /in .*\.codex\/auth\.json/,
  ],
  [
    'a proxy that speaks no HTTP on the way',
    { adapter: 'codex-cli', options: codexKey, variables: { ALL_PROXY: 'socks5://127.0.0.1:9' } },
    /a proxy that does not speak HTTP/,
  ],
  [
    "pi's own models.json",
    { adapter: 'pi-cli', options: { home: { directory: '/srv/pi' } }, variables: { GROQ_API_KEY: key } },
    /the set "groq"/,
  ],
])('visible, and refused where hiding was demanded: %s', (_, one, where) => {
  const verdict = judge(one)
  expect(verdict).toEqual({
    exposure: 'visible',
    where: expect.stringMatching(where),
    advice: expect.any(String),
  })
  expect(JSON.stringify(verdict)).not.toContain(key)
  const demanding = planFor({ ...one, options: { ...one.options, credentialExposure: 'hidden' } })
  expect(() => demandExposure(demanding, verdict)).toThrow(
    expect.objectContaining({ code: 'exposure_visible', message: expect.stringMatching(where) }),
  )
  expect(() => demandExposure(planFor(one), verdict)).not.toThrow()
})

test('visible where that was asked for, and none where there is nothing', () => {
  const asked = { adapter: 'codex-cli', options: { ...codexKey, credentialExposure: 'visible' } } as const
  expect(judge(asked)).toEqual({ exposure: 'visible' })
  expect(judge({ adapter: 'codex-cli' })).toEqual({ exposure: 'none' })
  expect(judge({ adapter: 'pi-cli', options: { endpoint: { url: endpoint.url } } })).toEqual({
    exposure: 'none',
  })
})

test.each<[string, Case, string | undefined]>([
  [
    'a sign-in',
    {
      adapter: 'claude-code',
      file: ['.claude/.credentials.json', '{"claudeAiOauth":{"scopes":["user:inference"]}}'],
    },
    "The agent's shell could read the credential in the user's sign-in, HOME/.claude/.credentials.json, which Claude Code reads from there. Name a set in `credentials`, so that the turn runs without the user's sign-in.",
  ],
  [
    'a set that cannot be hidden, where others can',
    { adapter: 'pi-cli', variables: { GEMINI_API_KEY: key } },
    'The agent\'s shell could read the credential in the environment of pi, which takes the set "google" from nowhere else here. Use a set that can be hidden: anthropic, anthropic-oauth, anthropic-bearer, openai, deepseek, groq, cerebras, xai, zai, huggingface, moonshot.',
  ],
  [
    'a set that could be hidden in a private home',
    { adapter: 'pi-cli', options: { home: { directory: '/srv/pi' } }, variables: { GROQ_API_KEY: key } },
    `The agent's shell could read the credential in the environment of pi, which takes the set "groq" from nowhere else here. Take home: 'private', where nothing but the turn says where requests go.`,
  ],
  [
    "an endpoint's credential that was granted, too",
    { adapter: 'codex-cli', options: { endpoint, scope: { SECRET_COPY: key } } },
    "The agent's shell could read the credential as SECRET_COPY, which was granted. Grant another one.",
  ],
  ['a CLI that can hide none', { adapter: 'cursor-cli', variables: { CURSOR_API_KEY: key } }, undefined],
  ['what is hidden', { adapter: 'codex-cli', options: codexKey }, undefined],
  ['no credential', { adapter: 'codex-cli' }, undefined],
  [
    'what was asked for',
    {
      adapter: 'claude-code',
      file: ['.claude/.credentials.json', '{"claudeAiOauth":{"scopes":["user:inference"]}}'],
      options: { credentialExposure: 'visible' },
    },
    undefined,
  ],
])('a turn says why its credential is not hidden, and what to do: %s', (_, one, message) => {
  const plan = planFor(one)
  const notice = exposureNotice(plan, judgeExposure(plan, versions[one.adapter]))
  const anywhere = notice && {
    ...notice,
    message: notice.message.replace(plan.home.userDirectory.replace(/\/[^/]+$/, ''), 'HOME'),
  }
  const expected = message === undefined ? undefined : { level: 'info', code: 'exposure_visible', message }
  expect(anywhere).toEqual(expected)
})
