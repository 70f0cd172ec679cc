import { describe, expect, it } from 'vitest'
import {
  answer,
  call,
  Driven,
  echo,
  init,
  interrupted,
  messageEnd,
  result,
  said,
  steerUuids,
  text,
  toolResult,
} from './live-driving.ts'

const [first = '', second = ''] = steerUuids

describe('steers', () => {
  const running = (given = {}) => new Driven(given).prompt('One').claude(init(), said('m1', call('t1')))

  it('are delivered when claude says them back in the turn', () => {
    const driven = running().steer('a', '/also this').steer('b', 'and that')
    expect(driven.sent()).toEqual([['One'], [first, '\u200b/also this'], [second, 'and that']])
    driven.claude(toolResult('t1', 'ok'), echo(first))
    expect(driven.steered).toEqual([{ id: 'a', outcome: 'delivered' }])
    driven.claude(echo(second), said('m2', text('Done')), result('Done'))
    expect(driven.steered).toEqual([
      { id: 'a', outcome: 'delivered' },
      { id: 'b', outcome: 'delivered' },
    ])
    expect(driven.completions).toHaveLength(1)
  })

  it('wait until the turn has begun', () => {
    const driven = new Driven().prompt('One').steer('a', 'this')
    expect(driven.sent()).toEqual([['One']])
    expect(driven.claude(init()).sent()).toEqual([[first, 'this']])
  })

  it('that came too late are queued, and begin one turn', () => {
    const driven = running().steer('a', 'this').steer('b', 'that')
    driven.claude(said('m2', text('Done')), result('Done'))
    expect(driven.steered).toEqual([
      { id: 'a', outcome: 'queued' },
      { id: 'b', outcome: 'queued' },
    ])
    driven.claude(echo(first), init(), echo(second), said('m3', text('More')), result('More'))
    expect(driven.completions.map((completion) => completion.text)).toEqual(['Done', 'More'])
    expect(driven.said.filter((line) => line.startsWith('session'))).toHaveLength(2)
    expect(driven.steered).toHaveLength(2)
  })

  it('are rejected when no turn runs', () => {
    expect(new Driven().steer('a', 'this').steered).toEqual([
      { id: 'a', outcome: 'rejected', reason: 'No turn is running.' },
    ])
  })

  it('go one at a time to a claude that cannot give them back', () => {
    const driven = running({ cliVersion: '2.0.72' }).steer('a', 'this').steer('b', 'that')
    expect(driven.sent()).toEqual([['One'], [first, 'this']])
    expect(driven.claude(echo(first)).sent()).toEqual([[second, 'that']])
  })

  it('are taken back before an interrupt, which they must not outlive', () => {
    const driven = running().steer('a', 'this')
    driven.sent()
    driven.interrupt().interrupt()
    expect(driven.sent()).toEqual([
      { subtype: 'cancel_async_message', message_uuid: first },
      { subtype: 'interrupt' },
    ])
    driven.claude(answer(2, { cancelled: true }), answer(3), ...interrupted)
    expect(driven.steered.map(({ outcome }) => outcome)).toEqual(['rejected'])
    expect(driven.last?.status).toBe('interrupted')
  })

  it('have their fate before their turn ends, also where the answer comes after the result', () => {
    const driven = running().steer('a', 'this').interrupt()
    driven.claude(answer(3), ...interrupted)
    expect(driven.completions).toHaveLength(0)
    driven.claude(answer(2, { cancelled: true }))
    expect(driven.steered.map(({ outcome }) => outcome)).toEqual(['rejected'])
    expect(driven.completions).toHaveLength(1)
  })

  it('are rejected when claude ends', () => {
    expect(running().steer('a', 'this').end({ exitCode: 1 }).steered).toEqual([
      { id: 'a', outcome: 'rejected', reason: 'claude has ended.' },
    ])
  })
})

describe('steers to a process of one turn', () => {
  const begin = (cliVersion = '2.1.332') =>
    new Driven({ opening: { oneTurn: true }, cliVersion }).prompt('One').claude(init())

  it('go to claude only while a tool runs, so that a boundary will come', () => {
    const driven = begin().steer('a', 'this')
    expect(driven.sent()).toEqual([['One']])
    expect(driven.claude(said('m1', call('t1'))).sent()).toEqual([[first, 'this']])
  })

  it('do not go with the beginning of the turn, either', () => {
    const driven = new Driven({ opening: { oneTurn: true } }).prompt('One').steer('a', 'this')
    expect(driven.claude(init()).sent()).toEqual([['One']])
  })

  it('that no boundary came for are never sent', () => {
    const driven = begin()
      .steer('a', 'this')
      .claude(said('m1', text('Done')), result('Done'))
    expect(driven.sent()).toEqual([['One']])
    expect(driven.steered.map(({ outcome }) => outcome)).toEqual(['rejected'])
    expect(driven.completions).toHaveLength(1)
  })

  const missed = (cliVersion?: string) => {
    const driven = begin(cliVersion)
      .claude(said('m1', call('t1')))
      .steer('a', 'this')
    driven.claude(toolResult('t1', 'ok'))
    driven.sent()
    return driven
  }

  it('that missed their boundary are withdrawn, and the turn ends once claude has said so', () => {
    const driven = missed().claude(said('m2', text('Done')), messageEnd('end_turn'))
    expect(driven.sent()).toEqual([{ subtype: 'cancel_async_message', message_uuid: first }])
    driven.claude(result('Done'))
    expect(driven.completions).toHaveLength(0)
    expect(driven.owed).toEqual([true])
    driven.claude(answer(2, { cancelled: true }))
    expect(driven.owed).toEqual([true, false])
    expect(driven.steered.map(({ outcome }) => outcome)).toEqual(['rejected'])
    expect(driven.last).toMatchObject({ status: 'success', text: 'Done' })
  })

  it.each([
    ['2.1.332', [answer(2, { cancelled: false })]],
    ['2.0.72', []],
  ])('that claude %s does not give back are part of the turn, which goes on', (version, answers) => {
    const driven = missed(version).claude(said('m2', text('Done')), messageEnd('end_turn'), result('Done'))
    driven.claude(...answers, echo(first))
    expect(driven.completions).toHaveLength(0)
    driven.claude(init(), said('m3', text('More')), result('More'))
    expect(driven.steered).toEqual([{ id: 'a', outcome: 'delivered' }])
    expect(driven.completions.map((completion) => completion.text)).toEqual(['More'])
  })
})

describe('interrupts', () => {
  it('end the turn by what claude says, and the next prompt waits for their answer', () => {
    const driven = new Driven().prompt('One').claude(init(), said('m1', call('t1')))
    driven.interrupt().claude(toolResult('t1', 'Exit code 137', true), ...interrupted)
    expect(driven.said).toContain('tool end Bash interrupted')
    expect(driven.last).toMatchObject({ status: 'interrupted', error: { code: 'aborted' } })
    driven.sent()
    expect(driven.prompt('Two').sent()).toEqual([])
    expect(driven.claude(answer(2)).sent()).toEqual([['Two']])
    driven.claude(init(), said('m2', text('B')), result('B'))
    expect(driven.last).toMatchObject({ status: 'success', text: 'B' })
  })

  it('wait until the turn has begun', () => {
    const driven = new Driven().prompt('One').interrupt()
    expect(driven.sent()).toEqual([['One']])
    expect(driven.claude(init()).sent()).toEqual([{ subtype: 'interrupt' }])
  })

  it('do nothing when nothing runs', () => {
    expect(new Driven().interrupt().sent()).toEqual([])
  })
})
