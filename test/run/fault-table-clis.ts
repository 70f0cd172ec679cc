import type { AgentEvent } from '../../src/index.ts'
import type { FakeStep } from '../../src/testing/fake-cli-script.ts'

/** What one CLI says, as far as the fault table needs it. */
export interface SpokenCli {
  adapter: string
  version: string
  /** The records up to the `session` event. */
  hello: object[]
  says(text: string): object[]
  bye: object[]
  /** Records that tell an error, after which this CLI is said to exit with 0. */
  errors: [what: string, records: object[]][]
  /** What an answer reads like in the stream: as fragments or as a block. */
  contentDelta: boolean
}

const claudeSession = { session_id: 's1' }
const claudeText = (text: string) => ({
  type: 'assistant',
  message: { id: 'm1', role: 'assistant', content: [{ type: 'text', text }] },
  ...claudeSession,
})
const claudeResult = { type: 'result', subtype: 'success', ...claudeSession }

const piUsage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } }
const piMessage = (content: object[], more: object = {}) => ({
  message: { role: 'assistant', content, usage: piUsage, ...more },
})
const piEnd = [{ type: 'agent_end', messages: [], willRetry: false }, { type: 'agent_settled' }]

export const spokenClis: SpokenCli[] = [
  {
    adapter: 'claude-code',
    version: '2.1.332 (Claude Code)',
    hello: [{ type: 'system', subtype: 'init', model: 'm', cwd: '/w', tools: [], ...claudeSession }],
    says: (text) => [claudeText(text)],
    bye: [{ ...claudeResult, is_error: false, result: '' }],
    errors: [['a result that is an error', [{ ...claudeResult, is_error: true, result: 'out of rope' }]]],
    contentDelta: false,
  },
  {
    adapter: 'codex-cli',
    version: 'codex-cli 0.171.0',
    hello: [
      { type: 'thread.started', thread_id: '019fee32-d4af-78d3-9ec9-0e59b10baf60' },
      { type: 'turn.started' },
    ],
    says: (text) => [{ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } }],
    bye: [{ type: 'turn.completed', usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } }],
    errors: [
      ['an error', [{ type: 'error', message: 'out of rope' }]],
      ['a failed turn', [{ type: 'turn.failed', error: { message: 'out of rope' } }]],
    ],
    contentDelta: false,
  },
  {
    adapter: 'cursor-cli',
    version: '2026.09.15-abcdef0',
    hello: [{ type: 'system', subtype: 'init', model: 'Auto', cwd: '/w', ...claudeSession }],
    says: (text) => [
      {
        type: 'assistant',
        message: { role: 'assistant', content: [{ type: 'text', text }] },
        ...claudeSession,
        timestamp_ms: 1,
      },
      {
        type: 'assistant',
        message: { role: 'assistant', content: [{ type: 'text', text }] },
        ...claudeSession,
      },
    ],
    bye: [{ ...claudeResult, is_error: false, result: '' }],
    errors: [['a result that is an error', [{ ...claudeResult, is_error: true, result: 'out of rope' }]]],
    contentDelta: true,
  },
  {
    adapter: 'pi-cli',
    version: '1.6.0',
    hello: [
      { type: 'session', version: 3, id: 's1', timestamp: '2026-01-01T00:00:00Z', cwd: '/w' },
      { type: 'agent_start' },
    ],
    says: (text) => [
      { type: 'message_start', ...piMessage([]) },
      ...['text_start', 'text_delta', 'text_end'].map((type) => ({
        type: 'message_update',
        assistantMessageEvent: {
          type,
          contentIndex: 0,
          ...(type === 'text_delta' && { delta: text }),
          ...(type === 'text_end' && { content: text }),
        },
      })),
      { type: 'message_end', ...piMessage([{ type: 'text', text }], { stopReason: 'stop' }) },
    ],
    bye: piEnd,
    errors: [
      [
        'a message that ended with an error',
        [
          { type: 'message_start', ...piMessage([]) },
          { type: 'message_end', ...piMessage([], { stopReason: 'error', errorMessage: 'out of rope' }) },
          ...piEnd,
        ],
      ],
    ],
    contentDelta: true,
  },
]

export const prints = (...records: (object | string)[][]): FakeStep[] =>
  records.flat().map((record) => ({ print: record }))

/** But for what pi says at every start. */
export const noticeCodes = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === 'notice' && event.code !== 'approvals_unasked' ? [event.code] : [],
  )
