import { afterEach, describe, expect, it } from 'vitest'
import type { ModelApiName } from '../../src/testing/scenario.ts'
import { ask, opening, server, start } from './asking-model-server.ts'
import { at } from './server-sent-events.ts'

afterEach(() => server.close())

describe('The request decides the step', () => {
  const steps = [{ text: 'zero' }, { text: 'one' }, { text: 'two' }]
  const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'shell', arguments: '{}' })
  const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'done' })
  const use = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: {} })
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'done' })
  const user = { role: 'user', content: 'hi' }
  const assistant = { role: 'assistant', content: 'hello' }

  it.each<[string, ModelApiName, object, number]>([
    ['no answer yet', 'anthropic', { messages: [user] }, 0],
    ['one answer', 'anthropic', { messages: [user, assistant, user] }, 1],
    [
      'two calls of one answer with their results between them',
      'anthropic',
      {
        messages: [
          user,
          { role: 'assistant', content: [use('toolu_a1_0')] },
          { role: 'user', content: [result('toolu_a1_0')] },
          { role: 'assistant', content: [use('toolu_a1_1')] },
          { role: 'user', content: [result('toolu_a1_1')] },
        ],
      },
      1,
    ],
    [
      'a message, reasoning and two calls that are one answer',
      'openai-responses',
      {
        input: [
          user,
          { type: 'reasoning', summary: [] },
          assistant,
          call('call_a1_0'),
          call('call_a1_1'),
          output('call_a1_0'),
          output('call_a1_1'),
        ],
      },
      1,
    ],
    [
      'calls that alternate with their results',
      'openai-responses',
      {
        input: [
          user,
          call('call_a1_0'),
          output('call_a1_0'),
          call('call_a1_1'),
          output('call_a1_1'),
          call('call_a2_0'),
          output('call_a2_0'),
        ],
      },
      2,
    ],
    [
      'after the last step, the first again',
      'openai-chat',
      { messages: [user, assistant, user, assistant, user, assistant] },
      0,
    ],
  ])('%s', async (_what, api, body, step) => {
    await start(steps)
    const answer = JSON.stringify(await (await ask(api, { model: 'm', ...body })).json())
    expect(answer).toContain(`"${['zero', 'one', 'two'][step]}"`)
  })

  it('and a scenario that is a function sees the request', async () => {
    await start((request, held) => ({
      text: `${request.userTexts.join()} ${request.toolResults.join()} ${held}`,
    }))
    const messages = [
      user,
      { role: 'assistant', content: [use('t')] },
      { role: 'user', content: [result('t')] },
    ]
    const answer = await (await ask('anthropic', { messages })).json()
    expect(at(answer, 'content', 0, 'text')).toBe('hi done 1')
  })
})

describe('The shell tool', () => {
  const chat = (name: string) => ({ tools: [{ type: 'function', function: { name, parameters: {} } }] })
  const responses = (tool: object) => ({ tools: [tool] })
  const argv = { properties: { command: { type: 'array', items: { type: 'string' } } } }
  const text = { properties: { command: { type: 'string' } } }

  it.each<[string, ModelApiName, object, object]>([
    ['bash of pi', 'openai-chat', chat('bash'), { name: 'bash', arguments: '{"command":"ls"}' }],
    [
      'shell of codex, which takes an argv',
      'openai-responses',
      responses({ type: 'function', name: 'shell', parameters: argv }),
      { name: 'shell', arguments: '{"command":["bash","-lc","ls"]}' },
    ],
    [
      'shell_command of codex',
      'openai-responses',
      responses({ type: 'function', name: 'shell_command', parameters: text }),
      { name: 'shell_command', arguments: '{"command":"ls"}' },
    ],
    [
      'the built-in local_shell',
      'openai-responses',
      responses({ type: 'local_shell' }),
      { type: 'local_shell_call', action: { type: 'exec', env: {}, command: ['bash', '-lc', 'ls'] } },
    ],
    [
      'a tool of another name',
      'openai-responses',
      responses({ type: 'custom', name: 'other' }),
      { name: 'shell', arguments: '{"command":"ls"}' },
    ],
  ])('is %s', async (_what, api, offered, expected) => {
    await start([{ toolCalls: [{ name: 'shell', input: { command: 'ls' } }] }])
    const answer = await (await ask(api, { ...opening[api], ...offered })).json()
    const made = at(answer, 'output', 0) ?? at(answer, 'choices', 0, 'message', 'tool_calls', 0, 'function')
    expect(made).toMatchObject(expected)
  })

  it('leaves free-form input as it is', async () => {
    await start([{ toolCalls: [{ name: 'apply_patch', input: '*** Begin Patch' }] }])
    const tools = [{ type: 'custom', name: 'apply_patch' }]
    const answer = await (await ask('openai-responses', { ...opening['openai-responses'], tools })).json()
    expect(at(answer, 'output', 0)).toMatchObject({ type: 'custom_tool_call', input: '*** Begin Patch' })
  })
})
