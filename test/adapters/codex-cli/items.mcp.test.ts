import { describe, expect, it } from 'vitest'
import { completed, play, started, thread, toolsSay, turnCompleted } from './records.ts'

describe('an MCP call', () => {
  const call = { id: 'm', type: 'mcp_tool_call', server: 'files', tool: 'read', arguments: { x: 1 } }
  const over = (result: unknown, status = 'completed', error: unknown = null) =>
    completed({ ...call, result, error, status })

  it('names its server and says what it was given and gave', () => {
    const result = {
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
      structured_content: { y: 2 },
    }
    expect(
      toolsSay(started({ ...call, result: null, error: null, status: 'in_progress' }), over(result)),
    ).toEqual([
      'tool m read other start server files',
      'tool m read other input {"x":1}',
      'tool m read other end completed "one\\ntwo"',
    ])
  })

  it.each([
    ['a result that is an error', { content: [{ type: 'text', text: 'no' }] }, 'failed', null, 'failed "no"'],
    ['no result', null, 'failed', { message: 'gone' }, 'failed "gone"'],
    [
      'only structured content',
      { content: [], structured_content: { y: 2 } },
      'completed',
      null,
      'completed "{\\"y\\":2}"',
    ],
    ['an empty result', { content: [] }, 'completed', null, 'completed'],
    [
      'a block of another kind',
      { content: [{ type: 'resource_link', uri: 'a:b' }] },
      'completed',
      null,
      'completed "{\\"type\\":\\"resource_link\\",\\"uri\\":\\"a:b\\"}"',
    ],
  ])('with %s', (_what, result, status, error, end) => {
    expect(toolsSay(over(result, status, error)).at(-1)).toBe(`tool m read other end ${end}`)
  })

  it('of the JavaScript of the newest models is one like any other', () => {
    const nested = { ...call, id: 'exec-67fa1f53-32c5-4257-9715-23c9bc22e989' }
    expect(toolsSay(started(nested))[0]).toBe(`tool ${nested.id} read other start server files`)
  })

  // 0.55.0, 0.113.0 and 0.171.0 name the server that is asked, and "codex" where all are.
  it.each([
    ['list_mcp_resources', 'codex', {}],
    ['list_mcp_resource_templates', 'files', { server: 'files' }],
    ['read_mcp_resource', 'files', { server: 'files', uri: 'a:b' }],
  ])("that is codex's own is no tool of a server: %s", (tool, server, given) => {
    expect(toolsSay(started({ ...call, tool, server, arguments: given }))[0]).toBe(
      `tool m ${tool} other start`,
    )
  })

  it("is a server's where only its name is like that of codex's own", () => {
    expect(toolsSay(started({ ...call, tool: 'read_mcp_resource' }))[0]).toBe(
      'tool m read_mcp_resource other start server files',
    )
  })

  it('keeps its images', () => {
    const { events } = play([
      thread,
      over({
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        ],
      }),
      turnCompleted,
    ])
    expect(events.find((event) => event.type === 'tool' && event.phase === 'end')).toMatchObject({
      output: 'see',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', mimeType: 'image/png', data: 'aGk=' },
      ],
    })
  })
})
