import { describe, expect, expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import type { turnOptionsSchema } from '../../src/options/schema.ts'
import type { TurnOptions } from '../../src/options/turn-options.ts'
import { fault, richCli } from './two-adapters.ts'

describe('what is wrong is refused by name, as invalid_options', () => {
  const rows: [string, Record<string, unknown>, RegExp, RegExp?][] = [
    ['a mistyped option', { sanbox: 'off' }, /no option `sanbox`/, /`sandbox`/],
    ['a mistyped option in other case', { systemprompt: {} }, /no option `systemprompt`/, /`systemPrompt`/],
    ['an option of nobody', { quux: 1 }, /no option `quux`/, /Known: adapter, prompt/],
    [
      'a mistyped budget',
      { budgets: { totalMS: 5 } },
      /no option `budgets\.totalMS`/,
      /^Did you mean `totalMs`\?$/,
    ],
    [
      'an unknown part of an option',
      { tools: { mode: 'native', only: [] } },
      /no option `tools\.only`/,
      /^Known: mode, allow, deny, strict\.$/,
    ],
    [
      'an unknown part of one that has several shapes',
      { credentials: { apiKey: 'x' } },
      /no option `credentials\.apiKey`/,
      /^Known: set, values\.$/,
    ],
    [
      'a word of other programs',
      { timeout: 5 },
      /no option `timeout`/,
      /^Did you mean `budgets\.totalMs`\?$/,
    ],
    [
      'the environment by its short name',
      { env: {} },
      /no option `env`/,
      /^Did you mean `scope` \(what to grant\) or `environment`\?$/,
    ],
    [
      'an adapter by its first word',
      { adapter: 'claude' },
      /no adapter "claude"/,
      /^Did you mean 'claude-code'\?$/,
    ],
    ['an empty prompt', { prompt: '' }, /`prompt` is empty/],
    ['a prompt of blanks', { prompt: ' \n' }, /`prompt` is empty/],
    ['a prompt without parts', { prompt: [] }, /`prompt` is empty/],
    [
      'an image without its data',
      { prompt: [{ type: 'image', mimeType: 'image/png' }] },
      /`prompt\.0\.data` is missing: expected/,
    ],
    [
      'a directory that is a number',
      { conversations: { directory: 7 } },
      /`conversations\.directory` is wrong: expected/,
    ],
    [
      'credentials whose set is a number',
      { credentials: { set: 7 } },
      /`credentials\.set` is wrong: expected/,
    ],
    ['a prompt that is a number', { prompt: 7 }, /`prompt` is wrong: expected a text/],
    [
      'an unknown part',
      { prompt: [{ type: 'video' }] },
      /`prompt\.0\.type` is wrong: expected a part of type 'text' or 'image'/,
    ],
    [
      'an image that is no image',
      { prompt: [{ type: 'image', mimeType: 'text/html', data: 'AAAA' }] },
      /`prompt\.0\.mimeType` is wrong: .*image/,
    ],
    [
      'an image as a data address',
      { prompt: [{ type: 'image', mimeType: 'image/png', data: 'data:image/png;base64,AAAA' }] },
      /prompt\.0\.data.*base64/,
    ],
    ['an unknown approvals word', { approvals: 'yes' }, /`approvals` is wrong: expected 'deny', 'auto'/],
    ['an unknown sandbox', { sandbox: 'none' }, /`sandbox` is wrong: expected 'read-only'/],
    ['a model that looks like a flag', { model: '--yolo' }, /`model` is wrong: expected one word/],
    ['a session id that looks like a flag', { resume: '--yolo' }, /`resume` is wrong: expected one word/],
    ['a session id that is a path', { resume: '../other' }, /`resume` is wrong: .*sessionId/],
    ['an empty cwd', { cwd: '' }, /`cwd` is wrong: must not be empty/],
    ['a NUL in an argument', { arguments: ['a\0b'] }, /`arguments\.0` is wrong: .*NUL/],
    ['a budget of zero', { budgets: { totalMs: 0 } }, /`budgets\.totalMs` is wrong: .*above 0/],
    ['a budget without end', { budgets: { idleMs: Infinity } }, /`budgets\.idleMs` is wrong: .*milliseconds/],
    ['a budget that is no number', { budgets: { idleMs: Number.NaN } }, /`budgets\.idleMs` is wrong/],
    ['a budget past what a timer can wait', { budgets: { toolMs: 2 ** 31 } }, /2147483647/],
    ['a signal that is none', { signal: {} }, /`signal` is wrong: expected an AbortSignal/],
    ['an endpoint that is a file', { endpoint: { url: 'file:///x' } }, /`endpoint\.url` is wrong: .*http/],
    ['an endpoint without a scheme', { endpoint: { url: 'localhost' } }, /`endpoint\.url` is wrong/],
    ['an endpoint with a password', { endpoint: { url: 'http://a:b@c' } }, /without a user name or password/],
    ['an unknown API', { endpoint: { url: 'http://a', api: 'grpc' } }, /`endpoint\.api` is wrong/],
    [
      'a header of two lines',
      { endpoint: { url: 'http://a', headers: { a: 'b\r\nc: d' } } },
      /`endpoint\.headers\.a` is wrong/,
    ],
    ['fork without resume', { fork: true }, /`fork` needs `resume`/],
    [
      'resume from discarded conversations',
      { resume: 'one', conversations: 'discard' },
      /`resume` needs the conversations/,
    ],
    ['a reserved flag', { arguments: ['--model', 'x'] }, /"--model" belongs to the option `model`/],
    [
      'a reserved flag with its value',
      { arguments: ['--model=x'] },
      /"--model" belongs to the option `model`/,
    ],
    ['a reserved letter with its value', { arguments: ['-mx'] }, /"-m" belongs to the option `model`/],
    ['the end of the flags', { arguments: ['--', 'x'] }, /"--" belongs to the option `prompt`/],
    ['a reserved setting', { configuration: { model: 'x' } }, /"model" belongs to the option `model`/],
    [
      'a reserved setting inside',
      { configuration: { sandbox: { network: true } } },
      /"sandbox\.network" belongs to the option `network`/,
    ],
    [
      'a reserved setting as a dotted key',
      { configuration: { 'sandbox.network': true } },
      /"sandbox\.network" belongs to the option `network`/,
    ],
    [
      "configuration in the user's home",
      { home: 'user', configuration: { a: 1 } },
      /`configuration`.*'user'/,
    ],
    ["arguments in the user's home", { home: 'user', arguments: ['--a'] }, /`arguments`.*'user'/],
    [
      'a reserved setting that only appears when it is written',
      { configuration: { harmless: 1, toJSON: () => ({ model: 'x' }) } },
      /settings that JSON can say/,
    ],
    [
      'something else with a contract',
      { adapter: { contract: 1, id: 'x' } },
      /no adapter of contract 1/,
      /no `structured`/,
    ],
    ['a configuration that no file can hold', { configuration: { big: 1n } }, /settings that JSON can say/],
    ['an object that is no adapter', { adapter: { id: 'x' } }, /no adapter of contract 1/, /defineAdapter/],
    ['an unknown adapter', { adapter: 'gemini' }, /There is no adapter "gemini"/],
  ]
  it.each(rows)('%s', (_title, options, message, hint) => {
    const found = fault({ adapter: richCli, prompt: 'hello', ...options })
    expect(found.code).toBe('invalid_options')
    expect(found.message).toMatch(message)
    expect(found.message).not.toContain('\n')
    if (hint) expect(found.hint).toMatch(hint)
  })

  it.each([
    [{ cwd: 3 }, 'What was given is a number. Every option'],
    [{ approvals: 'ask' }, 'What was given is a text. Every option'],
    [{ binary: '' }, 'What was given is an empty text. Every option'],
    [{ mcpServers: [] }, 'What was given is a list. Every option'],
    [{ signal: {} }, 'What was given is an object. Every option'],
    [{ tools: { allow: ['x'] } }, 'Every option'],
  ])('a value of another shape is told by its kind, with where to read on: %j', (options, hint) => {
    expect(fault({ adapter: richCli, prompt: 'hello', ...options }).hint).toMatch(new RegExp(`^${hint}`))
  })

  it('options that are missing altogether', () => {
    expect(fault(undefined)).toMatchObject({ code: 'invalid_options', message: 'The options are no object.' })
    expect(fault({ adapter: richCli }).message).toMatch(/`prompt` is missing: expected a text/)
  })
})

it('no message holds a value, which may be a secret', () => {
  const secret = 'sk-very-secret'
  const rows: Record<string, unknown>[] = [
    { credentials: { values: { RICH_KEY: { secret } } } },
    { endpoint: { url: `ftp://${secret}` } },
    { endpoint: { url: 'http://a', headers: { authorization: `${secret}\n` } } },
    { scope: { SECRET_A: [secret] } },
  ]
  for (const options of rows) {
    const found = fault({ adapter: richCli, prompt: 'hello', ...options })
    expect(JSON.stringify(found)).not.toContain(secret)
  }
})

it('the schema and the type say the same, both ways', () => {
  type Opaque = 'adapter' | 'bridge' | 'signal' | 'outputSchema' | 'approvals' | 'log' | 'binary'
  type Plain<T> = T extends object ? { -readonly [Key in keyof T]: Plain<Exclude<T[Key], undefined>> } : T
  type Given = z.input<typeof turnOptionsSchema>
  expectTypeOf<keyof Given>().toEqualTypeOf<keyof TurnOptions>()
  expectTypeOf<Plain<Omit<Given, Opaque>>>().toEqualTypeOf<Plain<Omit<TurnOptions, Opaque>>>()
  expectTypeOf<Given['approvals']>().toEqualTypeOf<TurnOptions['approvals']>()
  // A list that may be empty is what one has at hand; the schema alone tells.
  expectTypeOf<Given['binary']>().toExtend<TurnOptions['binary']>()
  expectTypeOf<Given['log']>().toEqualTypeOf<TurnOptions['log']>()
})
