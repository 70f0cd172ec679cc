import { describe, expect, it } from 'vitest'
import {
  answer,
  call,
  Driven,
  init,
  refusal,
  request,
  result,
  said,
  text,
  toolResult,
} from './live-driving.ts'

describe('the handshake', () => {
  it('is an initialize, and prompts may come once it is answered', () => {
    const driven = new Driven({ greeted: false })
    expect(driven.sent()).toEqual([{ subtype: 'initialize' }])
    expect(driven.ready).toBe(0)
    expect(driven.claude(answer(1)).ready).toBe(1)
  })

  it('fails where claude refuses it', () => {
    const driven = new Driven({ greeted: false }).claude(refusal(1, 'no'))
    expect(driven.failures.map(({ code, message }) => [code, message])).toEqual([
      ['protocol', 'claude refused to begin: no'],
    ])
  })

  it('fails once, with why, where the conversation is unknown', () => {
    const errors = ['No conversation found with session ID: x']
    const driven = new Driven({ greeted: false, options: { resume: 'x' } })
      .claude({ type: 'result', subtype: 'error_during_execution', is_error: true, errors })
      .end({ exitCode: 1, stderr: errors[0] ?? '' })
    expect(driven.failures.map(({ code }) => code)).toEqual(['resume_rejected'])
    expect(driven.events).toEqual([])
  })

  it('fails with what stderr says where claude ends before it', () => {
    const driven = new Driven({ greeted: false }).end({ exitCode: 1, stderr: 'Not logged in\n' })
    expect(driven.failures.map(({ code, message }) => [code, message])).toEqual([['auth', 'Not logged in']])
  })
})

describe('turns', () => {
  it('follow each other in one process, each with a session, a completion, and a cost of its own', () => {
    const driven = new Driven()
      .prompt('One')
      .claude(init(), said('m1', text('A')), result('A', { total_cost_usd: 0.1 }))
      .prompt('Two')
      .claude(init(), said('m2', text('B')), result('B', { total_cost_usd: 0.3 }))
    expect(driven.said).toEqual([
      'session s1 live new',
      'delta A',
      'message completed A',
      'usage',
      'completion success A',
      'session s1 live resumed',
      'delta B',
      'message completed B',
      'usage',
      'completion success B',
    ])
    expect(driven.completions.map(({ costUsd, usage }) => [costUsd, usage?.inputTokens])).toEqual([
      [0.1, 10],
      [0.2, 10],
    ])
    expect(driven.sent()).toEqual([['One'], ['Two']])
  })

  it('tell no cost for the first turn of a resumed conversation, and the difference afterwards', () => {
    const driven = new Driven({ options: { resume: 's1' } })
      .prompt('One')
      .claude(init(), said('m1', text('A')), result('A', { total_cost_usd: 1 }))
      .prompt('Two')
      .claude(init(), said('m2', text('B')), result('B', { total_cost_usd: 1.5 }))
    expect(driven.completions.map(({ costUsd }) => costUsd)).toEqual([undefined, 0.5])
    expect(driven.said[0]).toBe('session s1 live resumed')
  })

  it('keep their prompts literal, unless asked not to', () => {
    const sent = (promptExpansion: boolean, cliVersion: string) =>
      new Driven({ options: { promptExpansion }, cliVersion }).prompt('/cost of @a/b c').sent()
    expect(sent(false, '2.1.332')).toEqual([[' /cost of @a/b c']])
    expect(sent(false, '2.0.72')).toEqual([[' /cost of @a/b', ' c']])
    expect(sent(true, '2.0.72')).toEqual([['/cost of @a/b c']])
  })

  it('take no records that come between them', () => {
    const driven = new Driven()
      .claude(init(), said('m0', text('Stray')), result('Stray', { total_cost_usd: 0.5 }))
      .prompt('One')
      .claude(init(), said('m1', text('A')), result('A', { total_cost_usd: 0.6 }))
    expect(driven.said.filter((line) => line.includes('Stray'))).toEqual([])
    expect(driven.last).toMatchObject({ status: 'success', text: 'A', costUsd: 0.1 })
  })

  it('have nothing to do with what is unknown between them, which is said all the same', () => {
    const driven = new Driven().claude({ type: 'tide' }, { type: 'system', subtype: 'tide' })
    expect(driven.said).toEqual(['notice unknown_record', 'notice unknown_record'])
  })

  it('do not mistake the end of what claude ran by itself for theirs', () => {
    const driven = new Driven()
      .claude(init(), said('m0', text('Stray')))
      .prompt('One')
      .claude(said('m0', text('Stray')), result('Stray'))
      .claude(init(), said('m1', text('A')), result('A'))
    expect(driven.completions.map((completion) => completion.text)).toEqual(['A'])
  })

  it.each([
    ['crashed', { exitCode: 1, stderr: 'boom' }, 'crashed'],
    ['killed', { exitCode: null, signal: 'SIGKILL' }, 'crashed'],
  ])('end with the process: %s', (_, exit, code) => {
    const driven = new Driven()
      .prompt('One')
      .claude(init(), said('m1', call('t1')))
      .end(exit)
    expect(driven.last).toMatchObject({ status: 'error', error: { code } })
    expect(driven.said).toContain('tool end Bash interrupted')
    expect(driven.completions).toHaveLength(1)
  })

  it('say nothing when the process ends between them', () => {
    const driven = new Driven().prompt('One').claude(init(), result('A'))
    const count = driven.events.length
    driven.end({ exitCode: 1 })
    expect(driven.events).toHaveLength(count)
    expect(driven.failures).toEqual([])
  })

  it('wait for background tasks where they shall', () => {
    const started = { type: 'system', subtype: 'task_started', task_id: 'b1' }
    const ended = { type: 'system', subtype: 'background_tasks_changed', tasks: [] }
    const play = (backgroundTasks: 'wait' | 'forbid') =>
      new Driven({ options: { backgroundTasks } })
        .prompt('One')
        .claude(init(), started, said('m1', text('A')), result('A'))
    expect(play('forbid').completions).toHaveLength(1)
    const waiting = play('wait')
    expect(waiting.completions).toHaveLength(0)
    expect(waiting.claude(ended).completions).toHaveLength(1)
  })

  it('get another model, and wait for it; one that claude refuses is said', () => {
    const driven = new Driven().command({ type: 'model', model: 'big' }).prompt('One')
    expect(driven.sent()).toEqual([{ subtype: 'set_model', model: 'big' }])
    driven.claude(refusal(2, 'unknown'))
    expect(driven.sent()).toEqual([['One']])
    driven.claude(init(), result('A')).prompt('Two').claude(init(), result('B'))
    expect(driven.said.filter((line) => line === 'notice model_refused')).toHaveLength(1)
  })
})

describe('a replay', () => {
  it('opens turns by what claude says, and tells decisions by what was said back', () => {
    const ask = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' } }
    const response = { subtype: 'success', request_id: 'a', response: { behavior: 'allow' } }
    const driven = new Driven({ opening: undefined, greeted: false })
      .claude(init(), said('m1', call('t1')), request('a', ask), { type: 'control_response', response })
      .claude(toolResult('t1', 'ok'), result('A'), init(), result('B'))
      .end()
    expect(driven.said).toContain('resolved a allow by host')
    expect(driven.completions.map((completion) => completion.text)).toEqual(['A', 'B'])
    expect(driven.failures).toEqual([])
  })
})
