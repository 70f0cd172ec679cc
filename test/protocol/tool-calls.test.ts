import { describe, expect, it } from 'vitest'
import type { WireEvent } from '../../src/protocol/events.ts'
import { ToolCalls } from '../../src/protocol/tool-calls.ts'

function tools() {
  const events: WireEvent[] = []
  const calls = new ToolCalls((event) => events.push(event))
  const phases = () =>
    events.map((event) =>
      event.type === 'tool' ? `${event.toolId} ${event.phase} ${event.name}` : event.type,
    )
  return { calls, events, phases }
}

const shell = { name: 'shell', kind: 'execute' } as const

describe('a tool call has one start, at most one full input, and one end', () => {
  it('whatever the CLI repeats', () => {
    const { calls, phases } = tools()
    calls.start('a', shell)
    calls.start('a', shell)
    calls.inputDelta('a', '{')
    calls.inputDelta('a', '')
    calls.input('a', {})
    calls.input('a', { again: true })
    calls.inputDelta('a', '}')
    calls.outputDelta('a', 'x')
    calls.output('a', 'xy')
    calls.end('a', { status: 'completed', output: 'xy' })
    calls.end('a', { status: 'failed' })
    calls.output('a', 'late')
    calls.input('a', {})
    expect(phases()).toEqual([
      'a start shell',
      'a input shell',
      'a input shell',
      'a output shell',
      'a output shell',
      'a end shell',
    ])
  })

  it('a result without a call gets a start', () => {
    const { calls, events, phases } = tools()
    calls.end('a', { status: 'completed', output: 'x', exitCode: 0 })
    expect(phases()).toEqual(['a start unknown', 'a end unknown'])
    expect(events[1]).toEqual({
      type: 'tool',
      toolId: 'a',
      phase: 'end',
      name: 'unknown',
      kind: 'other',
      status: 'completed',
      output: 'x',
      exitCode: 0,
    })
  })

  it('an id that comes again after its end is another call', () => {
    const { calls, phases } = tools()
    calls.start('a', shell)
    calls.end('a', { status: 'completed' })
    calls.start('a', { name: 'read', kind: 'read' })
    calls.end('a', { status: 'failed' })
    expect(phases()).toEqual(['a start shell', 'a end shell', 'a#1 start read', 'a#1 end read'])
  })

  it('what is open is known, oldest first', () => {
    const { calls } = tools()
    for (const id of ['a', 'b', 'c']) calls.start(id, shell)
    calls.end('b', { status: 'completed' })
    expect(calls.pending).toEqual(['a', 'c'])
    calls.end('a', { status: 'completed' })
    calls.start('a', shell)
    expect(calls.pending).toEqual(['c', 'a'])
    expect([calls.has('b'), calls.isOpen('b'), calls.hasInput('a')]).toEqual([true, false, false])
  })

  it('a fragment of a call that nobody began is no event', () => {
    const { calls, events } = tools()
    calls.inputDelta('a', '{')
    calls.input('a', {})
    calls.output('a', 'x')
    expect(events).toEqual([])
  })

  it('name, kind, server and parent stand on every phase', () => {
    const { calls, events, phases } = tools()
    calls.start('a', { ...shell, server: 'bridge', parentToolId: 'p' })
    calls.input('a', {})
    calls.output('a', 'x')
    calls.end('a', { status: 'completed' })
    expect(phases()).toEqual(['a start shell', 'a input shell', 'a output shell', 'a end shell'])
    for (const event of events) {
      expect(event).toMatchObject({ name: 'shell', kind: 'execute', server: 'bridge', parentToolId: 'p' })
    }
  })
})

describe('a call can be told from every other', () => {
  it('where the CLI itself uses an id that was made for a repeated call', () => {
    const { calls, phases } = tools()
    for (const id of ['a', 'a', 'a#1']) {
      calls.start(id, shell)
      calls.end(id, { status: 'completed' })
    }
    expect(phases().filter((phase) => phase.includes('start'))).toEqual([
      'a start shell',
      'a#1 start shell',
      'a#1#2 start shell',
    ])
  })

  it('where the CLI itself has used an id before it would be made for a repeated call', () => {
    const { calls, phases } = tools()
    for (const id of ['a#1', 'a', 'a']) {
      calls.start(id, shell)
      calls.end(id, { status: 'completed' })
    }
    expect(phases().filter((phase) => phase.includes('start'))).toEqual([
      'a#1 start shell',
      'a start shell',
      'a#2 start shell',
    ])
  })

  it('where the CLI gives it neither an id nor a name', () => {
    const { calls, events } = tools()
    calls.start('', { name: '', kind: 'other' })
    calls.end('', { status: 'failed', exitCode: 1.5 })
    expect(events).toEqual([
      { type: 'tool', toolId: '#1', name: 'unknown', kind: 'other', phase: 'start' },
      { type: 'tool', toolId: '#1', name: 'unknown', kind: 'other', phase: 'end', status: 'failed' },
    ])
  })
})
