import { describe, expect, it } from 'vitest'
import { checkTurnOptions } from '../../src/options/check.ts'
import { fault, poorCli, richCli } from './two-adapters.ts'

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
