import { describe, expect, it } from 'vitest'
import { Driven, type Json, main, outline } from './app-server-driving.ts'

const command = { type: 'commandExecution', id: 'c1', command: 'sleep 30', status: 'inProgress' }

describe('a steer', () => {
  const shown = (more: Json) => ({
    type: 'userMessage',
    id: 'u2',
    content: [{ type: 'text', text: 'To port' }],
    ...more,
  })

  it('is delivered when codex shows that it took it in, and not before', () => {
    const driven = new Driven().turn()
    driven.sent()
    driven.steer('s1', 'To port')
    expect(driven.sent().map(({ params }) => params)).toEqual([
      {
        threadId: main,
        expectedTurnId: 'turn-1',
        clientUserMessageId: 's1',
        input: [{ type: 'text', text: 'To port', text_elements: [] }],
      },
    ])
    driven.answer('turn/steer', { turnId: 'turn-1' })
    expect(driven.steered).toEqual([])
    driven
      .started(shown({ clientId: 's1' }))
      .completed(shown({ clientId: 's1' }))
      .done()
    expect(driven.steered).toEqual([{ id: 's1', outcome: 'delivered' }])
  })

  it('is known by its text where codex repeats no id (0.113), each once', () => {
    const driven = new Driven({ version: '0.113.0' }).turn('To port')
    driven.started({ ...shown({}), id: 'u1' })
    driven.steer('s1', 'To port').steer('s2', 'To port')
    driven
      .started(shown({}))
      .started(shown({ id: 'u3' }))
      .done()
    expect(driven.steered).toEqual([
      { id: 's1', outcome: 'delivered' },
      { id: 's2', outcome: 'delivered' },
    ])
  })

  it('that codex refuses, that it never takes in, or that comes too late is rejected', () => {
    const driven = new Driven().turn().steer('s1', 'a')
    driven.refuse('turn/steer', 'no active turn to steer')
    driven.steer('s2', 'b').done().steer('s3', 'c')
    expect(driven.steered).toEqual([
      { id: 's1', outcome: 'rejected', reason: 'no active turn to steer' },
      { id: 's2', outcome: 'rejected', reason: 'The turn ended before codex took it in.' },
      { id: 's3', outcome: 'rejected', reason: 'No turn is open.' },
    ])
  })

  it('waits until codex has named the turn', () => {
    const driven = new Driven().prompt().steer('s1', 'To port')
    expect(outline(driven.sent())).toEqual(['turn/start'])
    driven.answer('turn/start', { turn: { id: 'turn-1' } })
    expect(outline(driven.sent())).toEqual(['turn/steer'])
  })
})

describe('an interrupt', () => {
  it("ends the turn by codex's own record, and the next one works", () => {
    const driven = new Driven().turn()
    driven.notify('item/agentMessage/delta', { itemId: 'm1', delta: 'On and on' })
    driven.sent()
    driven.interrupt().interrupt()
    expect(driven.sent().map(({ method, params }) => [method, params])).toEqual([
      ['turn/interrupt', { threadId: main, turnId: 'turn-1' }],
    ])
    driven.answer('turn/interrupt').done('interrupted')
    expect(driven.last).toMatchObject({
      status: 'interrupted',
      text: 'On and on',
      error: { code: 'aborted' },
    })
    driven.interrupt()
    expect(driven.sent()).toEqual([])
    driven.turn().says('Here').done()
    expect(driven.last).toMatchObject({ status: 'success', text: 'Here' })
  })

  it('waits until codex has begun the turn, before which it would be lost', () => {
    const driven = new Driven().prompt().interrupt()
    driven.answer('turn/start', { turn: { id: 'turn-1' } })
    expect(outline(driven.sent())).toEqual(['turn/start'])
    driven.notify('turn/started', { turn: { id: 'turn-1' } })
    expect(outline(driven.sent())).toEqual(['turn/interrupt'])
  })

  it.each([
    ['answers', (driven: Driven) => driven.answer('thread/backgroundTerminals/clean')],
    ['does not know how', (driven: Driven) => driven.refuse('thread/backgroundTerminals/clean', 'unknown')],
  ])('ends the commands of the turn before the turn is over, whether codex %s', (_, settle) => {
    const driven = new Driven().turn().started(command).interrupt().done('interrupted')
    expect(outline(driven.sent()).slice(-1)).toEqual(['thread/backgroundTerminals/clean'])
    expect(driven.completions).toEqual([])
    driven.completed({ ...command, status: 'failed', aggregatedOutput: 'before\n', exitCode: -1 })
    settle(driven)
    expect(driven.said.slice(-2)).toEqual(['tool c1 end interrupted before\n', 'completion aborted'])
  })

  it('leaves nothing to end where every command is over', () => {
    const driven = new Driven()
      .turn()
      .started(command)
      .completed({ ...command, status: 'completed' })
    driven.sent()
    driven.interrupt().done('interrupted')
    expect(outline(driven.sent())).toEqual(['turn/interrupt'])
    expect(driven.completions).toHaveLength(1)
  })
})

describe('a command that outlives its turn', () => {
  it('is ended with it', () => {
    const driven = new Driven().turn().started(command).says('It runs.').done()
    expect(outline(driven.sent()).slice(-1)).toEqual(['thread/backgroundTerminals/clean'])
    expect(driven.owed).toEqual([true])
    driven.answer('thread/backgroundTerminals/clean')
    expect(driven.owed).toEqual([true, false])
    expect(driven.last).toMatchObject({ status: 'success', text: 'It runs.' })
  })

  const waiting = () =>
    new Driven({ options: { backgroundTasks: 'wait' } }).turn().started(command).says('It runs.').done()

  it("with backgroundTasks: 'wait' is waited for, and ends as it really did", () => {
    const driven = waiting()
    expect(driven.completions).toEqual([])
    driven.completed({ ...command, status: 'completed', aggregatedOutput: 'late', exitCode: 0 })
    expect(outline(driven.sent())).not.toContain('thread/backgroundTerminals/clean')
    expect(driven.said.slice(-2)).toEqual(['tool c1 end completed late', 'completion success'])
  })

  it('that is waited for is ended by an interrupt, and with it the turn', () => {
    const driven = waiting().steer('s1', 'Hurry').interrupt()
    expect(driven.steered).toEqual([{ id: 's1', outcome: 'rejected', reason: 'No turn is open.' }])
    expect(outline(driven.sent()).slice(-1)).toEqual(['thread/backgroundTerminals/clean'])
    driven.answer('thread/backgroundTerminals/clean')
    expect(driven.said.slice(-2)).toEqual(['tool c1 end interrupted', 'completion aborted'])
    driven.turn().says('Here').done()
    expect(driven.last).toMatchObject({ status: 'success', text: 'Here' })
  })

  it('is not waited for where the turn failed or was stopped', () => {
    const driven = new Driven({ options: { backgroundTasks: 'wait' } }).turn().started(command).interrupt()
    driven.done('interrupted')
    expect(outline(driven.sent()).slice(-1)).toEqual(['thread/backgroundTerminals/clean'])
  })
})

describe('a turn that codex begins by itself', () => {
  const own = { turnId: 'own', turn: { id: 'own', status: 'completed' } }

  it('is nobody\u2019s and asks nobody', () => {
    const driven = new Driven().notify('turn/started', own)
    driven.asks(0, 'item/commandExecution/requestApproval', { turnId: 'own', itemId: 'c1', command: 'ls' })
    driven.completed({ type: 'agentMessage', id: 'm1', text: 'Hm' }, own).notify('turn/completed', own)
    expect(driven.sent()).toEqual([{ id: 0, result: { decision: 'decline' } }])
    expect(driven.events).toEqual([])
    driven.turn().says('Here').done()
    expect(driven.said).toEqual([
      'session new m1',
      'delta Here',
      'message completed Here',
      'completion success',
    ])
  })

  it('takes in a prompt that comes meanwhile, and is then its turn', () => {
    const driven = new Driven().notify('turn/started', own).prompt()
    driven.answer('turn/start', { turn: { id: 'own' } })
    driven.completed({ type: 'agentMessage', id: 'm1', text: 'Both' }, own).notify('turn/completed', own)
    expect(driven.completions.map(({ status, text }) => [status, text])).toEqual([['success', 'Both']])
  })
})
