import { describe, expect, it } from 'vitest'
import { child, command, Driven, type Json, main, ran, total } from './app-server-driving.ts'

describe('tools', () => {
  const rows: [title: string, item: Json, end: Json, said: string[]][] = [
    [
      'a command',
      command,
      ran,
      ['tool c1 start shell', 'tool c1 input {"command":"ls"}', 'tool c1 end completed a\n'],
    ],
    [
      'a command that fails',
      command,
      { ...command, status: 'failed', aggregatedOutput: 'no\n', exitCode: 2 },
      ['tool c1 start shell', 'tool c1 input {"command":"ls"}', 'tool c1 end failed no\n'],
    ],
    [
      'a change',
      { type: 'fileChange', id: 'f1', changes: [{ path: '/w/a', kind: { type: 'delete' }, diff: '' }] },
      { type: 'fileChange', id: 'f1', changes: [], status: 'declined' },
      [
        'tool f1 start apply_patch',
        'tool f1 input {"changes":[{"path":"/w/a","kind":{"type":"delete"},"diff":""}]}',
        'tool f1 end rejected',
      ],
    ],
    [
      "an MCP server's",
      {
        type: 'mcpToolCall',
        id: 't1',
        server: 'tiny',
        tool: 'add',
        arguments: { a: 1 },
        status: 'inProgress',
      },
      {
        type: 'mcpToolCall',
        id: 't1',
        server: 'tiny',
        tool: 'add',
        status: 'completed',
        result: { content: [{ type: 'text', text: '3' }], structuredContent: null },
      },
      ['tool t1 start tiny.add', 'tool t1 input {"a":1}', 'tool t1 end completed 3'],
    ],
    [
      'a search',
      { type: 'webSearch', id: 'w1', query: '', action: null },
      { type: 'webSearch', id: 'w1', query: 'tides', action: { type: 'openPage', url: 'u' } },
      [
        'tool w1 start web_search',
        'tool w1 input {"query":"tides","action":{"type":"openPage","url":"u"}}',
        'tool w1 end completed',
      ],
    ],
    [
      'an image',
      { type: 'imageView', id: 'i1', path: '/w/a.png' },
      { type: 'imageView', id: 'i1', path: '/w/a.png' },
      ['tool i1 start view_image', 'tool i1 input {"path":"/w/a.png"}', 'tool i1 end completed'],
    ],
  ]
  it.each(rows)('%s', (_, item, end, said) => {
    expect(new Driven().turn().started(item).completed(end).said.slice(1)).toEqual(said)
  })

  it('tell what they put out as it comes', () => {
    const driven = new Driven().turn().started(command)
    driven.notify('item/commandExecution/outputDelta', { itemId: 'c1', delta: 'a\n' }).completed(ran)
    expect(driven.said).toContain('tool c1 output a\n')
  })

  it('that the model plans with are the plan', () => {
    const plan = [
      { step: 'Look', status: 'completed' },
      { step: 'Row', status: 'inProgress' },
    ]
    const driven = new Driven().turn().notify('turn/plan/updated', { plan })
    expect(driven.said.at(-1)).toBe('plan Look=completed Row=in_progress')
  })
})

describe('sub-agents', () => {
  const spawn = { type: 'collabAgentToolCall', id: 's1', tool: 'spawnAgent', receiverThreadIds: [] }
  const inChild = { threadId: child, turnId: 'child-turn' }

  it('speak inside of the call that spawned them, also before it says who they are', () => {
    const driven = new Driven().turn().started(spawn)
    driven.notify('item/agentMessage/delta', { ...inChild, itemId: 'm1', delta: 'Ahoy' })
    driven.completed({ ...spawn, status: 'completed', receiverThreadIds: [child] })
    driven.completed({ type: 'agentMessage', id: 'm1', text: 'Ahoy' }, inChild)
    driven.started(command, inChild).completed(ran, inChild)
    driven.notify('thread/tokenUsage/updated', { ...inChild, ...total(999, 999) })
    driven.notify('turn/completed', { ...inChild, turn: { id: 'child-turn', status: 'completed' } })
    driven.says('Done').done()
    expect(driven.said.filter((line) => / in s1$|^usage/.test(line))).toEqual([
      'delta Ahoy in s1',
      'message completed Ahoy in s1',
      'tool c1 start shell in s1',
      'tool c1 input {"command":"ls"} in s1',
      'tool c1 end completed a\n in s1',
    ])
    expect(driven.last?.text).toBe('Done')
  })

  it('of an earlier turn are silent until they are spoken to', () => {
    const driven = new Driven().turn()
    driven.completed({ type: 'agentMessage', id: 'm0', text: 'Late' }, inChild)
    driven.started({ type: 'collabAgentToolCall', id: 's2', tool: 'sendInput', receiverThreadIds: [child] })
    driven.completed({ type: 'agentMessage', id: 'm1', text: 'Aye' }, inChild)
    expect(driven.said.filter((line) => /^delta/.test(line))).toEqual(['delta Aye in s2'])
  })

  it('are interrupted with the turn, and what they run is ended', () => {
    const driven = new Driven().turn().started(spawn)
    driven.notify('turn/started', { ...inChild, turn: { id: 'child-turn' } }).started(command, inChild)
    driven.sent()
    driven.interrupt()
    expect(driven.sent().map(({ params }) => params)).toEqual([
      { threadId: main, turnId: 'turn-1' },
      { threadId: child, turnId: 'child-turn' },
    ])
    driven.done('interrupted')
    expect(driven.sent().map(({ method, params }) => [method, params])).toEqual([
      ['thread/backgroundTerminals/clean', { threadId: child }],
    ])
  })
})
