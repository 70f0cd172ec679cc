import { describe, expect, test } from 'vitest'
import type { LaunchContext } from '../../../src/adapters/adapter.ts'
import { cursorCli } from '../../../src/adapters/cursor-cli.ts'
import type { LaunchOptions } from '../../../src/adapters/launch-options.ts'
import { getAdapter } from '../../../src/adapters/registry.ts'
import { checkTurnOptions } from '../../../src/options/check.ts'
import { launchContext, launchOptions } from './launching.ts'

const launch = (options: Partial<LaunchOptions> = {}, context: Partial<LaunchContext> = {}) =>
  cursorCli.structured.launch(launchOptions(options), launchContext(context))

const always = ['--print', '--output-format', 'stream-json', '--stream-partial-output', '--trust']
const id = '0f0e0d0c-0b0a-4908-8706-050403020100'

describe('arguments', () => {
  const rows: [string, Partial<LaunchOptions>, string[]][] = [
    ['the model is always said in a private home', {}, [...always, '--model', 'auto']],
    ['a model', { model: 'skiff-1-high' }, [...always, '--model', 'skiff-1-high']],
    [
      "a trusted project's servers are approved",
      { projectConfiguration: 'trust' },
      [...always, '--approve-mcps', '--model', 'auto'],
    ],
    ['approvals auto', { approvals: 'auto' }, [...always, '--model', 'auto', '--auto-review']],
    ['approvals approve-all', { approvals: 'approve-all' }, [...always, '--model', 'auto', '--force']],
    [
      'sandbox workspace-write',
      { sandbox: 'workspace-write' },
      [...always, '--model', 'auto', '--sandbox', 'enabled'],
    ],
    ['sandbox off', { sandbox: 'off' }, [...always, '--model', 'auto', '--sandbox', 'disabled']],
    [
      'resume is one word, since its value is optional',
      { resume: id },
      [...always, '--model', 'auto', `--resume=${id}`],
    ],
    [
      'own arguments come last',
      { arguments: ['--mode', 'ask'] },
      [...always, '--model', 'auto', '--mode', 'ask'],
    ],
  ]
  test.each(rows)('%s', (_, options, expected) => {
    expect(launch(options).arguments).toEqual(expected)
  })

  test("the user's home keeps the user's own model", () => {
    expect(launch({ home: 'user' }, { home: undefined }).arguments).toEqual(always)
  })

  test.each([
    ['2026.01.28-fd13201', false],
    ['2026.02.13-41ac335', true],
    ['2026.06.15-18-00-12-6f5a2cf', true],
    ['unknown', true],
  ])('--trust on %s: %s', (version, known) => {
    expect(launch({}, { version }).arguments.includes('--trust')).toBe(known)
  })
})

describe('the prompt', () => {
  test.each(['- [ ] task', '--- hi', '@/etc/hostname', '/clear', '& go on', 'a\u2028b', ' x '.repeat(1000)])(
    'goes to stdin as it is, never to argv: %j',
    (text) => {
      const { stdin, arguments: argv } = launch({ prompt: [{ type: 'text', text }] })
      expect(stdin).toBe(text)
      expect(argv).not.toContain(text)
    },
  )
})

test('environment and files of a private home', () => {
  expect(launch().environment).toEqual({ NO_OPEN_BROWSER: '1', CURSOR_DATA_DIR: '/homes/1' })
  expect(launch().files.map(({ path, content }) => [path, JSON.parse(content)])).toEqual([
    [
      'cli-config.json',
      {
        version: 1,
        editor: { vimMode: false },
        permissions: { allow: [], deny: [] },
        approvalMode: 'allowlist',
      },
    ],
  ])
})

test("the user's home gets no file and no directory of ours", () => {
  const { environment, files } = launch({ home: 'user' }, { home: undefined })
  expect([environment, files]).toEqual([{ NO_OPEN_BROWSER: '1' }, []])
})

test('a sign-in that must not reach the child is not read from keychain or file either', () => {
  expect(launch({}, { signIn: false }).environment.AGENT_CLI_CREDENTIAL_STORE).toBe('memory')
  expect(launch({}, { signIn: true }).environment.AGENT_CLI_CREDENTIAL_STORE).toBeUndefined()
})

test('MSYSTEM, which breaks every tool call on Windows, is emptied there', () => {
  expect(launch({}, { platform: 'win32' }).environment.MSYSTEM).toBe('')
  expect(launch({}, { platform: 'darwin' }).environment.MSYSTEM).toBeUndefined()
})

test('configuration becomes settings, and keeps the empty allow list', () => {
  const [file] = launch({
    configuration: { permissions: { deny: ['Shell(rm)'] }, network: { useHttp1ForAgent: true } },
  }).files
  expect(JSON.parse(file?.content ?? '')).toEqual({
    version: 1,
    editor: { vimMode: false },
    permissions: { allow: [], deny: ['Shell(rm)'] },
    approvalMode: 'allowlist',
    network: { useHttp1ForAgent: true },
  })
})

test('the first signal is SIGTERM', () => {
  expect(launch().firstSignal).toBe('SIGTERM')
})

describe('what it would accept but not do is refused', () => {
  test.each<[string, Partial<LaunchOptions>, string]>([
    [
      'a confining sandbox that --force lifts',
      { sandbox: 'workspace-write', approvals: 'approve-all' },
      'unsupported',
    ],
    ['network inside the sandbox', { sandbox: 'workspace-write', network: true }, 'unsupported'],
    ['resume of "-1", the last conversation of anyone', { resume: '-1' }, 'invalid_options'],
  ])('%s', (_, options, code) => {
    expect(() => launch(options)).toThrow(expect.objectContaining({ code }))
  })

  test.each<[string, object]>([
    ['sandbox read-only', { sandbox: 'read-only' }],
    ['network false', { network: false }],
    ['systemPrompt', { systemPrompt: { append: 'x' } }],
    ['effort', { effort: 'high' }],
    [
      'images',
      {
        prompt: [
          { type: 'text', text: 'x' },
          { type: 'image', mimeType: 'image/png', data: 'AA==' },
        ],
      },
    ],
    ['fork', { fork: true, resume: id }],
    ['endpoint', { endpoint: { url: 'http://127.0.0.1:1' } }],
    ['backgroundTasks wait', { backgroundTasks: 'wait' }],
    ['projectInstructions false', { projectInstructions: false }],
    ['promptExpansion', { promptExpansion: true }],
  ])('%s, by name', (_, options) => {
    expect(() => checkTurnOptions({ adapter: 'cursor-cli', prompt: 'x', ...options })).toThrow(
      expect.objectContaining({ code: 'unsupported' }),
    )
  })

  test.each([
    [['--force'], 'approvals'],
    [['-f'], 'approvals'],
    [['--model=x'], 'model'],
    [['--api-key', 'k'], 'credentials'],
    [['--resume'], 'resume'],
    [['--workspace', '/x'], 'cwd'],
    [['--output-format', 'text'], 'transport'],
  ])('the argument %j belongs to an option', (words, option) => {
    expect(() => checkTurnOptions({ adapter: 'cursor-cli', prompt: 'x', arguments: words })).toThrow(
      `belongs to the option \`${option}\``,
    )
  })

  test.each([
    [{ approvalMode: 'unrestricted' }, 'approvals'],
    [{ sandbox: { networkAccess: 'all' } }, 'sandbox'],
    [{ selectedModel: 'x' }, 'model'],
  ])('the setting %j belongs to an option', (configuration, option) => {
    expect(() => checkTurnOptions({ adapter: 'cursor-cli', prompt: 'x', configuration })).toThrow(
      `belongs to the option \`${option}\``,
    )
  })
})

test('is found as cursor-agent first, then agent, never cursor', () => {
  expect(getAdapter('cursor-cli').binary).toEqual(['cursor-agent', 'agent'])
})

test('looks for a conversation in the folder of its working directory', () => {
  expect(cursorCli.home.conversation?.(id, '/home/ada/harbour')).toBe(
    `chats/9f468bc5959a6d56360196c5b755a547/${id}`,
  )
})
