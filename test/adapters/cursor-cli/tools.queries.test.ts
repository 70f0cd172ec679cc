import { describe, expect, test } from 'vitest'
import { ok } from './tool-ends.ts'
import { eventsOf, init } from './turn.ts'

describe('queries that the CLI answers itself', () => {
  const asked = (queryType: string, body: object, responseKey: string, answer: object) => [
    {
      type: 'interaction_query',
      subtype: 'request',
      query_type: queryType,
      query: { id: 0, [queryType]: body },
      session_id: 's1',
      timestamp_ms: 1,
    },
    {
      type: 'interaction_query',
      subtype: 'response',
      query_type: queryType,
      response: { id: 0, [responseKey]: answer },
      session_id: 's1',
      timestamp_ms: 1,
    },
  ]
  const fetchArgs = { args: { url: 'https://x.invalid', toolCallId: 'c1' }, skipApproval: false }
  const question = { args: { title: 'Which?', questions: [{ prompt: 'Which one?' }] }, toolCallId: 'c1' }

  test.each<[string, object[], object]>([
    [
      'a refused fetch',
      asked('webFetchRequestQuery', fetchArgs, 'webFetchRequestResponse', {
        rejected: { reason: 'User Rejected' },
      }),
      { kind: 'approval', title: 'webFetch https://x.invalid', toolId: 'c1', decision: 'deny' },
    ],
    [
      'an allowed search',
      asked(
        'webSearchRequestQuery',
        { args: { searchTerm: 'tide', toolCallId: 'c1' } },
        'webSearchRequestResponse',
        { approved: {} },
      ),
      { kind: 'approval', title: 'webSearch tide', toolId: 'c1', decision: 'allow' },
    ],
    [
      'a shell command',
      asked('shellRequestQuery', { args: { command: 'ls' } }, 'shellRequestResponse', { rejected: {} }),
      { kind: 'approval', title: 'shell ls', decision: 'deny' },
    ],
    [
      'a skipped question',
      asked('askQuestionInteractionQuery', question, 'askQuestionInteractionResponse', {
        result: { rejected: { reason: 'skipped' } },
      }),
      { kind: 'question', title: 'Which?', toolId: 'c1', decision: 'cancel' },
    ],
    [
      'a plan',
      asked('createPlanRequestQuery', { args: { name: 'Sail' } }, 'createPlanRequestResponse', {
        result: { success: {} },
        planUri: '',
      }),
      { kind: 'plan', title: 'Sail', decision: 'allow' },
    ],
  ])('%s', async (_, records, expected) => {
    const events = await eventsOf([init, ...records, ok])
    const { decision, ...request } = expected as { decision: string }
    expect(events.filter((event) => event.type === 'interaction')).toMatchObject([
      { phase: 'request', interactionId: 'query-0', ...request },
      { phase: 'resolved', interactionId: 'query-0', by: 'cli', decision, ...request },
    ])
  })
})
