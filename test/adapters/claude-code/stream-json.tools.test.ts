import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../../src/adapters/claude-code.ts'
import {
  assistant,
  bash,
  blockStart,
  blockStop,
  eventsOf,
  init,
  jsonDelta,
  messageStart,
  result,
  said,
  toolResult,
  toolStory,
  toolUse,
} from './turn.ts'

describe('tools', () => {
  test('a call starts with its block, streams its input, and ends with its result', async () => {
    const events = await eventsOf([
      init,
      messageStart('m1'),
      blockStart(0, toolUse('t1', 'Bash')),
      jsonDelta(0, '{"comm'),
      jsonDelta(0, 'and":"ls"}'),
      assistant('m1', [bash]),
      blockStop(0),
      toolResult(
        't1',
        'reef',
        { is_error: false },
        { tool_use_result: { stdout: 'reef', stderr: '', interrupted: false } },
      ),
      ...said('m2', 'Seen.'),
      result('Seen.'),
    ])
    expect(toolStory(events)).toEqual([
      'start t1 Bash',
      'input t1 Bash +{"comm',
      'input t1 Bash +and":"ls"}',
      'input t1 Bash {"command":"ls"}',
      'end t1 Bash completed reef',
    ])
    expect(events.find((event) => event.type === 'tool' && event.phase === 'end')).toMatchObject({
      exitCode: 0,
      kind: 'execute',
    })
  })

  test.each([
    [
      'its text begins with',
      { content: 'Exit code 3\nno', is_error: true },
      {},
      { status: 'failed', exitCode: 3 },
    ],
    [
      'the CLI interpreted it',
      { content: '' },
      { tool_use_result: { stdout: '', interrupted: false, returnCodeInterpretation: 'No matches found' } },
      { status: 'completed' },
    ],
    [
      'the command runs on',
      { content: 'Command running in background' },
      { tool_use_result: { stdout: '', interrupted: false, backgroundTaskId: 'b1' } },
      { status: 'completed' },
    ],
    [
      'a rule kept it from running (2.1.332)',
      { content: 'touch needs approval.', is_error: true },
      { tool_result_meta: [{ id: 't1', non_execution_kind: 'user-rejected' }] },
      { status: 'rejected' },
    ],
    [
      'nobody could allow it (1.0 to 2.1)',
      {
        content: "Claude requested permissions to write to /w/a, but you haven't granted it yet.",
        is_error: true,
      },
      {},
      { status: 'rejected' },
    ],
    [
      'the turn was stopped',
      { content: "The user doesn't want to proceed with this tool use.", is_error: true },
      {},
      { status: 'interrupted' },
    ],
  ])('the status and the exit code of a call: %s', async (_, block, record, expected) => {
    const { content, ...fields } = block
    const events = await eventsOf([
      init,
      assistant('m1', [bash]),
      toolResult('t1', content, fields, record),
      result(''),
    ])
    const end = events.find((event) => event.type === 'tool' && event.phase === 'end')
    expect({
      status: end && 'status' in end && end.status,
      ...(end && 'exitCode' in end && { exitCode: end.exitCode }),
    }).toEqual(expected)
  })

  test.each([
    [
      '1.0.124, 2.1.136',
      'This Bash command contains multiple operations. The following part requires approval: touch x',
    ],
    ['2.0.72', 'sed command requires approval (contains potentially dangerous operations)'],
    ['2.0.72', 'This command requires approval'],
    ['2.1.136', 'Cannot write to /w/a.txt while in plan mode.'],
    ['2.1.136', 'Exit plan mode?'],
    ['1.0.124', 'Permission to edit /w/a has been denied.'],
    ['1.0.124', "Output redirection to '/w/a' was blocked by a deny rule."],
    ['1.0.124', 'Command contains backticks (`) for command substitution'],
    ['2.0.72', 'Skill execution blocked by permission rules'],
    ['2.0.72', 'File is in a directory that is denied by your permission settings.'],
  ])('%s has only words for a call that nobody allowed: %s', async (_, words) => {
    const denied = toolResult('t1', words, { is_error: true })
    const events = await eventsOf([init, assistant('m1', [bash]), denied, result('')])
    expect(toolStory(events).at(-1)).toBe(`end t1 Bash rejected ${words}`)
  })

  test.each(['it\nrequires approval', 'Commander not found', 'The pier requires approval forms'])(
    'a failing command that only says something like it (1.0.124 names no exit code) has failed: %j',
    async (words) => {
      const failed = toolResult('t1', words, { is_error: true })
      const events = await eventsOf([init, assistant('m1', [bash]), failed, result('')])
      expect(events.find((event) => event.type === 'tool' && event.phase === 'end')).toMatchObject({
        status: 'failed',
      })
    },
  )

  test('an MCP tool names its server, a file tool its place', async () => {
    const events = await eventsOf([
      init,
      assistant('m1', [
        toolUse('t1', 'mcp__charts__find', {}),
        toolUse('t2', 'Read', { file_path: '/w/a', offset: 7 }),
      ]),
      result(''),
    ])
    expect(events).toContainEqual(expect.objectContaining({ toolId: 't1', phase: 'start', server: 'charts' }))
    expect(events).toContainEqual(
      expect.objectContaining({ toolId: 't2', phase: 'input', locations: [{ path: '/w/a', line: 7 }] }),
    )
  })

  test('an MCP tool has the name that its server gave it, where that is known', () => {
    const wire = claudeCode.structured.wire()
    wire.start({ transport: 'structured', options: { serverTools: { charts: ['look.up'] } } })
    wire.receive(init)
    const { events } = wire.receive(assistant('m1', [toolUse('t1', 'mcp__charts__look_up', {})]))
    expect(events).toContainEqual(
      expect.objectContaining({ phase: 'start', server: 'charts', name: 'look.up' }),
    )
  })

  test('a to-do list is a plan once the CLI has taken it', async () => {
    const todos = [
      { content: 'Weigh', status: 'in_progress' },
      { content: 'Sail', status: 'pending' },
    ]
    const call = assistant('m1', [toolUse('t1', 'TodoWrite', { todos })])
    const taken = await eventsOf([init, call, toolResult('t1', 'ok'), result('')])
    expect(taken).toContainEqual(
      expect.objectContaining({
        type: 'plan',
        entries: [
          { content: 'Weigh', status: 'in_progress' },
          { content: 'Sail', status: 'pending' },
        ],
      }),
    )
    const refused = await eventsOf([
      init,
      call,
      toolResult('t1', 'No such tool', { is_error: true }),
      result(''),
    ])
    expect(refused.some((event) => event.type === 'plan')).toBe(false)
  })

  test('an id that a later message uses again is another call', async () => {
    const events = await eventsOf([
      init,
      assistant('m1', [bash]),
      toolResult('t1', 'one'),
      assistant('m1', [bash]),
      assistant('m2', [bash]),
      toolResult('t1', 'two'),
      result(''),
    ])
    expect(toolStory(events).filter((line) => line.startsWith('end'))).toEqual([
      'end t1 Bash completed one',
      'end t1#1 Bash completed two',
    ])
  })
})
