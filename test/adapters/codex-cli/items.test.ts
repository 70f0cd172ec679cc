import { describe, expect, it } from 'vitest'
import {
  completed,
  type Json,
  play,
  says,
  started,
  thread,
  toolsSay,
  turnCompleted,
  updated,
} from './records.ts'

/** What the items make a turn say, between its session and its usage. */
function itemsSay(...items: Json[]): string[] {
  return play([thread, ...items, turnCompleted, says('')]).said.slice(1, -1)
}

const command = { id: 'item_1', type: 'command_execution', command: "bash -lc 'ls'" }
const running = { ...command, aggregated_output: '', exit_code: null, status: 'in_progress' }

it('calls without an id are told apart by their ends', () => {
  const { id: _, ...first } = running
  const ends = ['one', 'two'].map((output) =>
    completed({ ...first, aggregated_output: output, exit_code: 0, status: 'completed' }),
  )
  const said = toolsSay(started(first), started({ ...first }), ...ends)
  expect(said.filter((line) => line.includes(' end '))).toHaveLength(2)
  expect(said.join('\n')).toMatch(/one[\s\S]*two/)
})

describe('a message', () => {
  it('is one whole block, and final when something else comes', () => {
    expect(itemsSay(says('One.', 'a'), says('Two.', 'b'))).toEqual([
      'delta message-1 =One.',
      'delta message-2 =Two.',
      'message message-1 completed One.',
      'message message-2 completed Two.',
    ])
  })

  it('that is written piece by piece is streamed, and ends as what the last record says', () => {
    const text = (part: string) => ({ id: 'a', type: 'agent_message', text: part })
    expect(
      itemsSay(started(text('')), updated(text('On')), updated(text('One.')), completed(text('One. Two.'))),
    ).toEqual([
      'delta message-1 =On',
      'delta message-1 +e.',
      'delta message-1 + Two.',
      'message message-1 completed One. Two.',
    ])
  })

  it('that contradicts its own beginning takes it back', () => {
    const text = (part: string) => ({ id: 'a', type: 'agent_message', text: part })
    expect(itemsSay(updated(text('Maybe')), completed(text('No.')))).toEqual([
      'delta message-1 =Maybe',
      'message message-1 retracted Maybe',
      'delta message-2 =No.',
      'message message-2 completed No.',
    ])
  })
})

describe('reasoning', () => {
  it('is a thinking run of its own for each item', () => {
    const thought = (text: string) => completed({ id: 'r', type: 'reasoning', text })
    expect(itemsSay(thought('First.'), thought('Second.'), says('Yes.')).slice(0, 2)).toEqual([
      'thinking thinking-1 =First.',
      'thinking thinking-2 =Second.',
    ])
  })
})

describe('a shell command', () => {
  it.each([
    ['completed', 0, 'completed exit 0 "out"'],
    ['failed', 3, 'failed exit 3 "out"'],
    // 0.147.0 and 0.171.0 when their reviewer says no.
    ['declined', null, 'rejected "out"'],
    ['failed', null, 'failed "out"'],
  ])('that ends as %s with %s is %s', (status, exit_code, end) => {
    const over = { ...command, aggregated_output: 'out', exit_code, status }
    expect(toolsSay(started(running), completed(over))).toEqual([
      'tool item_1 shell execute start',
      `tool item_1 shell execute input {"command":"bash -lc 'ls'"}`,
      `tool item_1 shell execute end ${end}`,
    ])
  })

  it('shows its output so far', () => {
    expect(
      toolsSay(started(running), updated({ ...running, aggregated_output: 'half' })).slice(2, 3),
    ).toEqual(['tool item_1 shell execute output =half'])
  })

  it('without an end is interrupted with the turn', () => {
    const { said, completion } = play([thread, started(running)], {
      exit: { exitCode: null, signal: 'SIGKILL' },
    })
    expect(said.at(-1)).toBe('tool item_1 shell execute end interrupted')
    expect(completion).toMatchObject({ status: 'error', error: { code: 'crashed' } })
  })

  it('runs beside another', () => {
    const other = { ...running, id: 'item_2' }
    const lines = toolsSay(
      started(running),
      started(other),
      completed({ ...other, exit_code: 0, status: 'completed' }),
      completed({ ...running, exit_code: 0, status: 'completed' }),
    )
    expect(lines.filter((line) => line.includes(' end '))).toEqual([
      'tool item_2 shell execute end completed exit 0 ""',
      'tool item_1 shell execute end completed exit 0 ""',
    ])
  })
})

describe('a file change', () => {
  const change = (kind: string, status: string) => ({
    id: 'f',
    type: 'file_change',
    changes: [{ path: '/w/a.txt', kind }],
    status,
  })

  it('names the files', () => {
    const { events } = play([
      thread,
      started(change('add', 'in_progress')),
      completed(change('add', 'completed')),
      turnCompleted,
    ])
    expect(events.filter((event) => event.type === 'tool')).toMatchObject([
      { phase: 'start', name: 'apply_patch', kind: 'edit', locations: [{ path: '/w/a.txt' }] },
      { phase: 'input', input: { changes: [{ path: '/w/a.txt', kind: 'add' }] } },
      { phase: 'end', status: 'completed', locations: [{ path: '/w/a.txt' }] },
    ])
  })

  it.each([
    ['update', 'failed', 'edit end failed'],
    ['update', 'declined', 'edit end rejected'],
    ['delete', 'completed', 'delete end completed'],
  ])('to %s that ends as %s is %s', (kind, status, end) => {
    expect(toolsSay(completed(change(kind, status))).at(-1)).toBe(`tool f apply_patch ${end}`)
  })
})

describe('a web search', () => {
  it('says what it looked for when it is over, which is when codex knows', () => {
    const search = { id: 'ws_1', type: 'web_search' }
    expect(
      toolsSay(
        started({ ...search, query: '', action: { type: 'other' } }),
        completed({ ...search, query: 'weather', action: { type: 'search', query: 'weather' } }),
      ),
    ).toEqual([
      'tool ws_1 web_search search start',
      'tool ws_1 web_search search input {"query":"weather","action":{"type":"search","query":"weather"}}',
      'tool ws_1 web_search search end completed',
    ])
  })

  it('that opens a page is a fetch', () => {
    const open = { id: 'w', type: 'web_search', query: 'https://a.example/', action: { type: 'open_page' } }
    expect(toolsSay(started(open), completed(open))[0]).toBe('tool w web_search fetch start')
  })

  it('of 0.55 has only a query, and only an end', () => {
    expect(toolsSay(completed({ id: 'w', type: 'web_search', query: 'weather' }))).toEqual([
      'tool w web_search search start',
      'tool w web_search search input {"query":"weather"}',
      'tool w web_search search end completed',
    ])
  })
})

describe('a sub-agent', () => {
  it('is a call of the tool that speaks to it', () => {
    const spawn = { id: 'c', type: 'collab_tool_call', tool: 'wait', prompt: 'Look.', sender_thread_id: 't' }
    expect(
      toolsSay(
        started({ ...spawn, receiver_thread_ids: [], agents_states: {}, status: 'in_progress' }),
        completed({
          ...spawn,
          receiver_thread_ids: ['u'],
          agents_states: { u: { status: 'completed', message: 'Seen.' } },
          status: 'completed',
        }),
      ),
    ).toEqual([
      'tool c wait other start',
      'tool c wait other input {"prompt":"Look.","receiver_thread_ids":["u"]}',
      'tool c wait other end completed "Seen."',
    ])
  })
})

describe('a to-do list', () => {
  const list = (...done: boolean[]) => ({
    id: 'l',
    type: 'todo_list',
    items: done.map((completed, index) => ({ text: `step ${index + 1}`, completed })),
  })

  it('is a plan each time it changes, not when the end of the turn repeats it', () => {
    expect(
      toolsSay(started(list(false, false)), updated(list(true, false)), completed(list(true, false))),
    ).toEqual(['plan step 1:pending step 2:pending', 'plan step 1:completed step 2:pending'])
  })
})

describe('what is not known', () => {
  it.each([
    ['an item type', completed({ id: 'x', type: 'hologram' }), 'the item type "hologram"'],
    ['an item without a type', completed({ id: 'x' }), 'the item type ""'],
    ['a record without its item', { type: 'item.completed' }, 'an item record without an item'],
    ['a record type', { type: 'thread.compacted' }, 'the record type "thread.compacted"'],
    ['a thread without an id', { type: 'thread.started' }, 'a thread.started without an id'],
  ])('is a counted notice: %s', (_what, record, words) => {
    const { said, completion } = play([thread, record, says('Yes.'), turnCompleted])
    expect(said[1]).toBe(`notice info unknown_record: This version does not know ${words}.`)
    expect(completion).toMatchObject({ status: 'success', ledger: { unknown: 1 } })
  })

  it.each([
    ['null fields', { id: null, type: 'command_execution', command: null, aggregated_output: null }],
    ['fields of other types', { id: 7, type: 'file_change', changes: 'none', status: 3 }],
    ['an MCP call without anything', { type: 'mcp_tool_call' }],
    ['a to-do list of numbers', { type: 'todo_list', items: [1, null] }],
    ['a message without a text', { type: 'agent_message' }],
    ['an error without a message', { type: 'error' }],
    ['empty names', { id: '', type: 'mcp_tool_call', server: '', tool: '' }],
  ])('never stops a turn: %s', (_what, item) => {
    expect(play([thread, completed(item), says('Yes.', 'b'), turnCompleted]).completion.text).toBe('Yes.')
  })
})
