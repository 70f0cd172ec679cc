import { expect, it } from 'vitest'
import { Driven, state } from './rpc-driving.ts'

/** What people reported of `pi --mode rpc` and its wrappers, with an input of its own. */

it('M11: the id of the conversation comes from get_state, for rpc mode announces none', () => {
  const driven = new Driven({ greeted: false })
  expect(driven.sent()).toEqual([{ id: 'get_state-1', type: 'get_state' }])
  driven.answer('get_state-1', state({ sessionId: 'brig' })).prompt('Hello.')
  expect(driven.said).toEqual(['session brig new'])
})

it('M11: a prompt that pi does not take is an error at once: no agent_end will come', () => {
  const driven = new Driven().prompt('Hello.')
  driven.refuse('prompt-1', 'Cannot submit a prompt while compaction is in progress.')
  expect(driven.last).toMatchObject({
    status: 'error',
    evidence: { by: 'record', detail: 'response prompt' },
    error: { code: 'busy', message: 'Cannot submit a prompt while compaction is in progress.' },
  })
})
