import { describe, expect, it } from 'vitest'
import { bash, bashFragments, end, execution, said, text, update } from './json-records.ts'
import { answer, play } from './records.ts'

describe('tool calls', () => {
  it('hold fragments back until the name is known (0.80 to 0.84.2 name a call only at its end)', async () => {
    expect(
      await said([
        update({ type: 'toolcall_start', contentIndex: 0 }),
        update({ type: 'toolcall_delta', contentIndex: 0, delta: '{"command":' }),
        update({ type: 'toolcall_delta', contentIndex: 0, delta: '"echo hi"}' }),
        update({ type: 'toolcall_end', contentIndex: 0, toolCall: { type: 'toolCall', ...bash } }),
        end([{ type: 'toolCall', ...bash }], 'toolUse'),
        execution('start', { args: bash.arguments }),
        execution('end', { result: text('hi'), isError: false }),
      ]),
    ).toEqual([
      'tool call_1 bash start',
      'tool call_1 bash input +{"command":',
      'tool call_1 bash input +"echo hi"}',
      'tool call_1 bash input {"command":"echo hi"}',
      'tool call_1 bash end completed hi',
    ])
  })

  it('start from the execution alone where nothing was streamed', async () => {
    expect(
      await said([
        execution('start', { args: { command: 'ls' } }),
        execution('end', { result: text('a'), isError: false }),
      ]),
    ).toEqual([
      'tool call_1 bash start',
      'tool call_1 bash input {"command":"ls"}',
      'tool call_1 bash end completed a',
    ])
  })

  it('are no other call when their id comes again, late or reused', async () => {
    const ran = [execution('start', { args: {} }), execution('end', { result: text('a'), isError: false })]
    const once = ['tool call_1 bash start', 'tool call_1 bash input {}', 'tool call_1 bash end completed a']
    expect(await said([...ran, execution('update', { partialResult: text('late') })])).toEqual(once)
    expect(await said([...ran, ...ran])).toEqual([
      ...once,
      ...once.map((line) => line.replace('call_1', 'call_1#1')),
    ])
  })

  it('replace the output when pi shows only its tail', async () => {
    expect(
      await said([
        execution('start', { args: {} }),
        execution('update', { partialResult: { content: [] } }),
        execution('update', { partialResult: text('one\ntwo\n') }),
        execution('update', { partialResult: text('two\nthree\n') }),
        execution('end', { result: text('two\nthree\n'), isError: false }),
      ]),
    ).toEqual([
      'tool call_1 bash start',
      'tool call_1 bash input {}',
      'tool call_1 bash output +one\ntwo\n',
      'tool call_1 bash output =two\nthree\n',
      'tool call_1 bash end completed two\nthree',
    ])
  })

  it.each([
    ['the line that pi adds', text('boom\n\nCommand exited with code 3'), true, 'failed', 3],
    ['structuredContent (1.x)', { ...text('boom'), structuredContent: { exit_code: 4 } }, true, 'failed', 4],
    [
      'structuredContent of a success (1.x)',
      { ...text('ok'), structuredContent: { exit_code: 0 } },
      false,
      'completed',
      0,
    ],
    ['nothing, where pi says nothing', text('ok'), false, 'completed', undefined],
    [
      'nothing, where a good command only printed that line',
      text('Command exited with code 3'),
      false,
      'completed',
      undefined,
    ],
  ])('take the exit code from %s', async (_from, result, isError, status, exitCode) => {
    const { events } = await play([execution('start', { args: {} }), execution('end', { result, isError })])
    const ended = events.find((event) => event.type === 'tool' && event.phase === 'end')
    expect(ended).toMatchObject({ status })
    expect(ended?.type === 'tool' && ended.phase === 'end' && ended.exitCode).toBe(exitCode)
  })

  it('carry the images of a result', async () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' }
    const { events } = await play([
      execution('start', { args: { path: 'a.png' }, toolName: 'read' }),
      execution('end', {
        result: { content: [{ type: 'text', text: 'Read image' }, image] },
        isError: false,
        toolName: 'read',
      }),
    ])
    expect(events.find((event) => event.type === 'tool' && event.phase === 'end')).toMatchObject({
      output: 'Read image',
      content: [
        { type: 'text', text: 'Read image' },
        { type: 'image', mimeType: 'image/png', data: 'aGk=' },
      ],
    })
  })

  it.each([
    ['bash', 'execute', undefined],
    ['powershell', 'execute', undefined],
    ['read', 'read', [{ path: 'src/a.ts', line: 7 }]],
    ['edit', 'edit', [{ path: 'src/a.ts', line: 7 }]],
    ['write', 'edit', [{ path: 'src/a.ts', line: 7 }]],
    ['Read', 'read', [{ path: 'src/a.ts', line: 7 }]],
    ['grep', 'search', undefined],
    ['find', 'search', undefined],
    ['ls', 'search', undefined],
    ['constructor', 'other', undefined],
  ])('of %s are of kind %s', async (toolName, kind, locations) => {
    const { events } = await play([
      execution('start', { toolName, args: { path: 'src/a.ts', offset: 7 } }),
      execution('end', { toolName, result: text(''), isError: false }),
    ])
    const [start, input] = events.filter((event) => event.type === 'tool')
    expect(start).toMatchObject({ phase: 'start', kind })
    expect(input?.type === 'tool' && input.phase === 'input' && input.locations).toEqual(locations)
  })

  it('name the MCP server that they belong to', async () => {
    const { events } = await play([
      execution('start', { toolName: 'mcp__files__list', args: {} }),
      execution('end', { toolName: 'mcp__files__list', result: text(''), isError: false }),
    ])
    expect(events[0]).toMatchObject({ name: 'list', server: 'files', kind: 'other' })
  })

  it('that never ran end as interrupted with the turn', async () => {
    expect(
      await said([
        ...answer('delta-only', [{ call: bash, fragments: bashFragments }], { stopReason: 'toolUse' }),
        execution('start', { args: bash.arguments }),
      ]),
    ).toEqual([
      'tool call_1 bash start',
      'tool call_1 bash input +{"command":',
      'tool call_1 bash input +"echo hi"}',
      'tool call_1 bash input {"command":"echo hi"}',
      'tool call_1 bash end interrupted',
    ])
  })
})
