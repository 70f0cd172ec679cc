import { describe, expect, it } from 'vitest'
import { call, Driven, init, request, result, said, text, toolResult } from './live-driving.ts'

/** What people reported of claude's control protocol and its wrappers, each with an input of its own. */

const mayRun = {
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'ls' },
  tool_use_id: 'toolu_1',
}

describe('H02: what claude asks with --permission-prompt-tool stdio', () => {
  it('is denied where nobody is there to answer, at once and with a word to the model', () => {
    const driven = new Driven({ options: {} }).prompt().claude(init(), said('m1', call('toolu_1')))
    driven.sent()
    driven.claude(request('r1', mayRun))
    expect(driven.sent()).toEqual([
      {
        subtype: 'success',
        request_id: 'r1',
        response: { behavior: 'deny', message: 'Nobody is there to answer. Go on without it.' },
      },
    ])
    driven.claude(toolResult('toolu_1', 'Nobody is there to answer.', true), said('m2', text('Then not.')))
    driven.claude(result('Then not.'))
    expect(driven.said.filter((line) => line.startsWith('tool end'))).toEqual(['tool end Bash rejected'])
    expect(driven.last).toMatchObject({ status: 'success', text: 'Then not.' })
  })

  it('waits for the host where there is one, and is answered by it', () => {
    const driven = new Driven().prompt().claude(init(), said('m1', call('toolu_1')), request('r1', mayRun))
    expect(driven.sent()).toEqual([['Go.']])
    driven.decide('r1', { decision: 'allow' })
    expect(driven.sent()).toMatchObject([{ request_id: 'r1', response: { behavior: 'allow' } }])
  })

  it('is denied between turns, too', () => {
    const driven = new Driven().claude(request('r1', mayRun))
    expect(driven.sent()).toMatchObject([{ request_id: 'r1', response: { behavior: 'deny' } }])
  })

  it('is refused where the kind is unknown: nothing hangs', () => {
    const driven = new Driven().prompt().claude(init())
    driven.sent()
    driven.claude(request('r2', { subtype: 'trim_sails' }))
    expect(driven.sent()).toEqual([
      { subtype: 'error', request_id: 'r2', error: 'method not found: trim_sails' },
    ])
  })
})
