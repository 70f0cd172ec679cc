import { describe, expect, expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import { type AdapterDefinition, defineAdapter } from '../../src/adapters/adapter.ts'
import { type Capabilities, noCapabilities } from '../../src/adapters/capabilities.ts'
import { isAgentError } from '../../src/errors.ts'
import { checkTurnOptions } from '../../src/options/check.ts'
import type { turnOptionsSchema } from '../../src/options/schema.ts'
import type { TurnOptions } from '../../src/options/turn-options.ts'

const poor: Capabilities = { ...noCapabilities, reservedArguments: { '--model': 'model', '-m': 'model' } }

const rich: Capabilities = {
  ...poor,
  approvals: ['deny', 'auto', 'approve-all'],
  sandbox: ['read-only', 'workspace-write'],
  network: true,
  systemPrompt: { append: true, replace: true },
  effort: ['low', 'high'],
  images: true,
  resume: true,
  fork: true,
  endpoint: ['openai-responses', 'openai-chat'],
  backgroundTasks: ['forbid', 'wait'],
  projectConfiguration: ['ignore', 'trust'],
  withoutProjectInstructions: true,
  promptExpansion: true,
  configuration: true,
  reservedConfiguration: { model: 'model', 'sandbox.network': 'network' },
}

function adapter(id: string, capabilities: Capabilities, changes: Partial<AdapterDefinition> = {}) {
  return defineAdapter({
    id,
    title: id,
    binary: [id],
    version: { floor: '1.0.0', tested: '2.0.0' },
    install: `npm install ${id}`,
    credentials: [{ name: 'api-key', variables: ['RICH_KEY'], billing: 'api' }],
    home: { variable: 'HOME_OF_IT', userDirectory: '.it', signIn: [], conversations: [] },
    capabilities,
    structured: {
      launch: () => ({ arguments: [], environment: {}, files: [], stdin: '', firstSignal: 'SIGTERM' }),
      wire: () => ({
        start: () => ({ events: [] }),
        receive: () => ({ events: [] }),
        end: () => ({ events: [] }),
      }),
    },
    ...changes,
  })
}

const poorCli = adapter('poor-cli', poor)
const richCli = adapter('rich-cli', rich)

function fault(options: unknown): { code: string; message: string; hint: string | undefined } {
  try {
    checkTurnOptions(options)
  } catch (error) {
    if (isAgentError(error)) return { code: error.code, message: error.message, hint: error.hint }
    throw error
  }
  throw new Error('nothing was refused')
}

describe('what is wrong is refused by name, as invalid_options', () => {
  const rows: [string, Record<string, unknown>, RegExp, RegExp?][] = [
    ['a mistyped option', { sanbox: 'off' }, /no option `sanbox`/, /`sandbox`/],
    ['a mistyped option in other case', { systemprompt: {} }, /no option `systemprompt`/, /`systemPrompt`/],
    ['an option of nobody', { quux: 1 }, /no option `quux`/, /Known: adapter, prompt/],
    ['a mistyped budget', { budgets: { totalMS: 5 } }, /no option `budgets\.totalMS`/],
    ['an empty prompt', { prompt: '' }, /`prompt` is empty/],
    ['a prompt of blanks', { prompt: ' \n' }, /`prompt` is empty/],
    ['a prompt without parts', { prompt: [] }, /`prompt` is empty/],
    ['a prompt that is a number', { prompt: 7 }, /`prompt` is wrong: expected a text/],
    [
      'an unknown part',
      { prompt: [{ type: 'video' }] },
      /expected a text, or a list of text and image parts/,
    ],
    [
      'an image that is no image',
      { prompt: [{ type: 'image', mimeType: 'text/html', data: 'AAAA' }] },
      /prompt\.0\.mimeType.*image/,
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
    ['something else with a contract', { adapter: { contract: 1, id: 'x' } }, /no adapter of contract 1/],
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

  it('options that are missing altogether', () => {
    expect(fault(undefined)).toMatchObject({ code: 'invalid_options', message: 'The options are no object.' })
    expect(fault({ adapter: richCli }).message).toMatch(/`prompt` is wrong: expected a text/)
  })
})

describe('what this adapter cannot honour is unsupported, named with what is supported', () => {
  const rows: [string, Record<string, unknown>, string][] = [
    ['approvals', { approvals: 'auto' }, "poor-cli does not support approvals: 'auto'. Supported: 'deny'."],
    [
      'sandbox',
      { sandbox: 'read-only' },
      "poor-cli does not support sandbox: 'read-only'. Supported: 'off'.",
    ],
    ['network', { network: false }, 'poor-cli does not support network: false. Supported: network: true.'],
    [
      'systemPrompt.append',
      { systemPrompt: { append: 'x' } },
      'systemPrompt.append. Supported: no system prompt.',
    ],
    ['systemPrompt.replace', { systemPrompt: { replace: 'x' } }, 'systemPrompt.replace'],
    ['effort', { effort: 'high' }, "effort: 'high'. Supported: no effort at all."],
    [
      'images',
      {
        prompt: [
          { type: 'text', text: 'x' },
          { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        ],
      },
      'images in the prompt',
    ],
    ['resume', { resume: 'one' }, 'resume. Supported: new conversations.'],
    ['endpoint', { endpoint: { url: 'http://127.0.0.1:1' } }, 'endpoint'],
    ['backgroundTasks', { backgroundTasks: 'wait' }, "backgroundTasks: 'wait'. Supported: 'forbid'."],
    ['projectConfiguration', { projectConfiguration: 'trust' }, "projectConfiguration: 'trust'"],
    ['projectInstructions', { projectInstructions: false }, 'projectInstructions: false'],
    ['promptExpansion', { promptExpansion: true }, 'promptExpansion: true'],
    ['configuration', { configuration: { a: 1 } }, 'configuration'],
  ]
  it.each(rows)('%s', (_title, options, message) => {
    const found = fault({ adapter: poorCli, prompt: 'hello', ...options })
    expect(found).toMatchObject({ code: 'unsupported' })
    expect(found.message).toContain(message)
    expect(found.message).toContain('poor-cli')
  })

  it('an endpoint API that the adapter does not speak', () => {
    const found = fault({ adapter: richCli, prompt: 'x', endpoint: { url: 'http://a', api: 'anthropic' } })
    expect(found.message).toBe(
      "rich-cli does not support endpoint.api: 'anthropic'. Supported: 'openai-responses' and 'openai-chat'.",
    )
  })
})

describe('what no adapter can do yet is unsupported, by name', () => {
  const rows: [Record<string, unknown>, string][] = [[{ transport: 'tmux' }, "transport: 'tmux'"]]
  it.each(rows)('%o', (options, name) => {
    const found = fault({ adapter: richCli, prompt: 'hello', ...options })
    expect(found.code).toBe('unsupported')
    expect(found.message).toContain(`does not support ${name} on any adapter`)
  })
})

it("a function of the caller's that is no tool is told at once, by its name", () => {
  const tool = { name: 'look', description: 'Looks.', input: { type: 'object' }, execute: () => '' }
  const adapter = { ...poorCli, capabilities: { ...poorCli.capabilities, mcpServers: ['http'] } }
  const found = (bridge: object[]) => fault({ adapter, prompt: 'hello', bridge })
  expect(found([tool, tool])).toMatchObject({ code: 'invalid_options' })
  expect(found([{ ...tool, input: 7 }]).message).toContain('"look"')
  expect(found([{ ...tool, description: undefined }]).message).toBe('The tool "look" has no description.')
})

describe('tools that this adapter cannot have are unsupported, by name', () => {
  const server = { type: 'http', url: 'http://127.0.0.1:9/mcp' }
  const rows: [Record<string, unknown>, string][] = [
    [{ mcpServers: { shop: server } }, "mcpServers: 'http'"],
    [{ bridge: [{ name: 'look', description: 'Looks.', input: {}, execute: () => '' }] }, 'bridge'],
    [{ tools: { mode: 'native', allow: ['Read'] } }, 'tools.allow and tools.deny of its own tools (Read)'],
    [{ tools: { mode: 'native', deny: ['Read'] } }, 'tools.allow and tools.deny of its own tools (Read)'],
  ]
  it.each(rows)('%o', (options, name) => {
    const found = fault({ adapter: poorCli, prompt: 'hello', ...options })
    expect(found.code).toBe('unsupported')
    expect(found.message).toContain(`does not support ${name}.`)
  })

  it('but its own as they are', () => {
    expect(() =>
      checkTurnOptions({ adapter: poorCli, prompt: 'hello', tools: { mode: 'native' } }),
    ).not.toThrow()
  })
})

describe('what is right comes out with defaults filled in', () => {
  it('from the least that one can say', () => {
    expect(checkTurnOptions({ adapter: poorCli, prompt: 'hello' })).toEqual({
      adapter: poorCli,
      parsed: { adapter: poorCli, prompt: 'hello' },
      transport: 'structured',
      interactions: 'default',
      mcpServers: {},
      bridge: [],
      apiTransport: 'bridge_shell',
      launch: {
        prompt: [{ type: 'text', text: 'hello' }],
        promptExpansion: false,
        cwd: process.cwd(),
        systemPrompt: {},
        fork: false,
        approvals: 'deny',
        backgroundTasks: 'forbid',
        home: 'private',
        tools: { mode: 'native', deny: [], strict: false },
        mcpServers: {},
        projectConfiguration: 'ignore',
        projectInstructions: true,
        configuration: {},
        arguments: [],
      },
      conversations: 'keep',
      budgets: { lingerMs: 3000 },
      inherit: [],
      reserve: [],
      git: 'keep',
      credentials: 'inherit',
      billing: 'any',
      credentialExposure: 'auto',
      redact: { enabled: true, values: [] },
      includeRaw: false,
    })
  })

  it('with the neutral words of what is not there yet', () => {
    const options: TurnOptions = {
      adapter: poorCli,
      prompt: '--help',
      transport: 'auto',
      liveInput: 'optional',
      billing: 'any',
      credentialExposure: 'auto',
      projectConfiguration: 'ignore',
      sandbox: 'off',
      network: true,
      environment: process.env,
    }
    expect(checkTurnOptions(options).launch).toMatchObject({ sandbox: 'off', network: true })
  })

  it("with the adapter's first API, absolute paths, and nothing for what was undefined", () => {
    const { launch, conversations, binary, budgets, redact } = checkTurnOptions({
      adapter: richCli,
      prompt: [{ type: 'text', text: 'hello' }],
      endpoint: { url: 'http://127.0.0.1:1/v1', credential: undefined },
      home: { directory: 'home' },
      conversations: { directory: '/var/conversations' },
      binary: 'it',
      model: undefined,
      budgets: { totalMs: 5, idleMs: undefined },
      redact: ['hunter2'],
    })
    expect(launch.endpoint).toEqual({ url: 'http://127.0.0.1:1/v1', api: 'openai-responses' })
    expect(launch.home).toEqual({ directory: `${process.cwd()}/home` })
    expect(conversations).toEqual({ directory: '/var/conversations' })
    expect(binary).toEqual(['it'])
    expect(budgets).toEqual({ lingerMs: 3000, totalMs: 5 })
    expect(redact).toEqual({ enabled: true, values: ['hunter2'] })
    expect('model' in launch).toBe(false)
  })

  it('a flag that only begins like a reserved one is let through', () => {
    const flags = ['--model-provider', 'x', '--modelled=1']
    expect(checkTurnOptions({ adapter: richCli, prompt: 'x', arguments: flags }).launch.arguments).toEqual(
      flags,
    )
  })

  it('an image of several megabytes', () => {
    const data = 'QUJD'.repeat(2_000_000)
    const prompt = [
      { type: 'text', text: 'What is this?' },
      { type: 'image', mimeType: 'image/png', data },
    ]
    expect(checkTurnOptions({ adapter: richCli, prompt }).launch.prompt).toHaveLength(2)
  })

  it('an image without words, of which blank ones are none', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' }
    const blank = { type: 'text', text: ' \n' }
    for (const prompt of [[image], [blank, image, blank]]) {
      expect(checkTurnOptions({ adapter: richCli, prompt }).launch.prompt).toEqual([image])
    }
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
  type Opaque = 'adapter' | 'bridge' | 'signal' | 'outputSchema' | 'approvals' | 'log'
  type Plain<T> = T extends object ? { -readonly [Key in keyof T]: Plain<Exclude<T[Key], undefined>> } : T
  type Given = z.input<typeof turnOptionsSchema>
  expectTypeOf<keyof Given>().toEqualTypeOf<keyof TurnOptions>()
  expectTypeOf<Plain<Omit<Given, Opaque>>>().toEqualTypeOf<Plain<Omit<TurnOptions, Opaque>>>()
  expectTypeOf<Given['approvals']>().toEqualTypeOf<TurnOptions['approvals']>()
  expectTypeOf<Given['log']>().toEqualTypeOf<TurnOptions['log']>()
})
