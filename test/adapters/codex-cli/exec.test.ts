import { describe, expect, it } from 'vitest'
import {
  completed,
  errs,
  failed,
  play,
  says,
  started,
  thread,
  threadId,
  turnCompleted,
  turnStarted,
} from './records.ts'

describe('a turn', () => {
  it('ends well at turn.completed, and only then may the process be ended', () => {
    const turn = play([thread, turnStarted, says('Hello.'), turnCompleted])
    expect(turn.said).toEqual([
      `session ${threadId} new`,
      'delta message-1 =Hello.',
      'message message-1 completed Hello.',
      'usage {"basis":"turn","inputTokens":12,"cachedInputTokens":4,"outputTokens":3}',
    ])
    expect(turn.completion).toMatchObject({
      status: 'success',
      text: 'Hello.',
      stopReason: 'end_turn',
      sessionId: threadId,
      evidence: { by: 'record', detail: 'turn.completed' },
      ledger: { records: 4, ignored: 1, unknown: 0 },
    })
    expect(turn.ended).toBe(true)
    expect(play([thread, turnStarted, says('Hello.')]).ended).toBe(false)
  })

  it('names model, directory and version of the turn, which the wire does not', () => {
    const { events } = play([thread], { version: '0.171.0', options: { model: 'm', cwd: '/w' } })
    expect(events[0]).toMatchObject({ type: 'session', model: 'm', cwd: '/w', cliVersion: '0.171.0' })
  })

  it('that exits with 0 without its last word is no success', () => {
    const { completion } = play([thread, turnStarted, says('Half.')])
    expect(completion).toMatchObject({ status: 'error', text: 'Half.', error: { code: 'protocol' } })
  })

  it('that begins anew after its last word has not said it yet', () => {
    const again = [thread, turnStarted, says('First.'), turnCompleted, turnStarted, says('Sec', 'item_1')]
    const cut = play(again)
    expect(cut.ended).toBe(false)
    expect(cut.completion).toMatchObject({ status: 'error', text: 'Sec', error: { code: 'protocol' } })
    expect(play([...again, turnCompleted])).toMatchObject({ ended: true, completion: { status: 'success' } })
  })

  it('that ended well is a success whatever the exit says', () => {
    // 0.55.0 exits with 1 where an MCP server did not start.
    const { completion, said } = play([thread, says('Yes.'), turnCompleted], { exit: { exitCode: 1 } })
    expect(completion.status).toBe('success')
    expect(said.at(-1)).toContain('notice warning exit_after_success')
  })

  it.each(['constructor', '__proto__', 'toString'])(
    'takes a record of the type %s for an unknown one',
    (type) => {
      const { completion } = play([thread, { type }, completed({ id: 'item_1', type }), turnCompleted])
      expect(completion).toMatchObject({ status: 'success', ledger: { unknown: 2 } })
    },
  )

  const lagged = completed({
    id: 'item_7',
    type: 'error',
    message: 'in-process app-server event stream lagged; dropped 46 events',
  })

  it('whose last words codex dropped by its own word is no success', () => {
    const { completion } = play([thread, says('I look.'), lagged, turnCompleted])
    expect(completion).toMatchObject({
      status: 'error',
      text: 'I look.',
      error: { code: 'protocol', retryable: true, message: expect.stringContaining('dropped 46 events') },
    })
  })

  it('that still says its answer after codex dropped events is a success', () => {
    const { completion } = play([thread, lagged, says('Here it is.', 'item_9'), turnCompleted])
    expect(completion).toMatchObject({ status: 'success', text: 'Here it is.' })
  })

  it('without an answer is a success with a notice', () => {
    const { completion, said } = play([thread, turnStarted, turnCompleted])
    expect(completion).toMatchObject({ status: 'success', text: '' })
    expect(said.at(-1)).toContain('notice warning empty_answer')
  })

  it('that fails keeps what was said', () => {
    const { completion, said, ended } = play([thread, says('Part.'), errs('boom'), failed('boom')], {
      exit: { exitCode: 1 },
    })
    expect(said).toContain('message message-1 completed Part.')
    expect(completion).toMatchObject({
      status: 'error',
      text: 'Part.',
      error: { code: 'unknown', message: 'boom' },
      evidence: { by: 'record', detail: 'turn.failed' },
    })
    expect(ended).toBe(true)
  })

  it('that fails without a word is still an error with one', () => {
    expect(play([thread, { type: 'turn.failed' }]).completion.error?.message).toBe(
      'codex said that the turn failed, not why.',
    )
  })

  it.each([
    ['Incomplete response returned, reason: max_output_tokens', 'max_output', 'max_tokens'],
    ['Incomplete response returned, reason: content_filter', 'refused', 'refusal'],
  ])('cut short says why: %s', (message, code, stopReason) => {
    const { completion } = play([thread, says('Half of'), failed(message)], { exit: { exitCode: 1 } })
    expect(completion).toMatchObject({ status: 'error', text: 'Half of', stopReason, error: { code } })
  })

  it('that is killed after an error has crashed, and still tells the error', () => {
    const { completion } = play([thread, errs('Reconnecting... waiting for network (no route)')], {
      exit: { exitCode: null, signal: 'SIGKILL' },
    })
    expect(completion).toMatchObject({
      error: { code: 'crashed', message: expect.stringContaining('waiting for network') },
      evidence: { by: 'signal' },
    })
  })

  it('that is killed after it had recovered has crashed', () => {
    const shell = started({ id: 's', type: 'command_execution', command: 'ls' })
    const { completion } = play([thread, errs('Reconnecting... 1/5'), shell], {
      exit: { exitCode: null, signal: 'SIGKILL' },
    })
    expect(completion.error?.code).toBe('crashed')
  })
})

describe('usage', () => {
  const usage = {
    input_tokens: 300,
    cached_input_tokens: 120,
    cache_write_input_tokens: 7,
    output_tokens: 60,
    reasoning_output_tokens: 15,
  }

  it('counts all prompt tokens, cached ones included', () => {
    expect(play([thread, { type: 'turn.completed', usage }]).completion.usage).toEqual({
      basis: 'turn',
      inputTokens: 300,
      cachedInputTokens: 120,
      cacheWriteTokens: 7,
      outputTokens: 60,
      reasoningTokens: 15,
    })
  })

  it.each([
    ['0.55.0', 'turn'],
    ['0.75.0', 'turn'],
    ['0.80.0', 'conversation'],
    ['0.113.0', 'conversation'],
    ['0.171.0', 'conversation'],
    [undefined, 'conversation'],
  ])('of a resumed conversation under %s counts the %s', (version, basis) => {
    const { completion } = play([thread, { type: 'turn.completed', usage }], {
      options: { resume: threadId },
      ...(version !== undefined && { version }),
    })
    expect(completion.usage?.basis).toBe(basis)
  })

  it('is absent where the record has none, and where it has but zeros: nobody counted (review, 0.171.0)', () => {
    expect(play([thread, { type: 'turn.completed' }]).completion.usage).toBeUndefined()
    const zeros = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_output_tokens: 0 }
    expect(play([thread, { type: 'turn.completed', usage: zeros }]).completion.usage).toBeUndefined()
  })
})

describe('resuming', () => {
  const other = '01a00000-0000-7000-8000-0000000000ff'

  it('the conversation that was asked for is `resumed`', () => {
    const turn = play([thread, says('Again.'), turnCompleted], {
      options: { resume: threadId.toUpperCase() },
    })
    expect(turn.said[0]).toBe(`session ${threadId} resumed`)
    expect(turn.completion.status).toBe('success')
  })

  it('that silently began a new conversation is rejected, whatever it answers, and may be ended at once', () => {
    // 0.113.0 and below with an id that they do not know.
    const begun = play([thread], { options: { resume: other } })
    expect(begun.ended).toBe(true)
    const turn = play([thread, turnStarted, says('Who?'), turnCompleted], { options: { resume: other } })
    expect(turn.said[0]).toBe(`session ${threadId} new`)
    expect(turn.completion).toMatchObject({
      status: 'error',
      text: 'Who?',
      error: { code: 'resume_rejected', retryable: false },
      usage: { basis: 'turn' },
    })
    const failing = play([thread, failed('boom')], { options: { resume: other } })
    expect(failing.completion.error?.code).toBe('resume_rejected')
  })

  it('an unknown conversation is rejected by newer versions on stderr', () => {
    const stderr =
      'Error: thread/resume: thread/resume failed: no rollout found for thread id 22222222-2222-4222-8222-222222222222 (code -32600)\n'
    const { completion } = play([], { options: { resume: other }, exit: { exitCode: 1, stderr } })
    expect(completion.error).toMatchObject({
      code: 'resume_rejected',
      message:
        'thread/resume: thread/resume failed: no rollout found for thread id 22222222-2222-4222-8222-222222222222',
    })
  })

  it('with fork is `forked` into a conversation of its own', () => {
    const turn = play([thread, says('Branch.'), turnCompleted], { options: { resume: other, fork: true } })
    expect(turn.said[0]).toBe(`session ${threadId} forked`)
    expect(turn.completion).toMatchObject({ status: 'success', usage: { basis: 'conversation' } })
  })
})

describe('a connection that broke off', () => {
  const cut = 'Reconnecting... 1/5 (stream disconnected before completion: error decoding response body)'
  const turn = [thread, says('Same.', 'a'), errs(cut), says('Same.', 'b'), turnCompleted]

  it.each(['0.55.0', '0.113.0', '0.125.0'])(
    'takes back what was said in it under %s, which asks the model again without it',
    (version) => {
      const { said, completion } = play(turn, { version })
      expect(said.slice(1, 4)).toEqual([
        'delta message-1 =Same.',
        'message message-1 retracted Same.',
        `notice warning retry: ${cut}`,
      ])
      expect(completion.text).toBe('Same.')
    },
  )

  it.each(['0.130.0', '0.147.0', '0.171.0'])(
    'leaves what was said in it under %s, which keeps it in the conversation',
    (version) => {
      expect(play(turn, { version }).said[2]).toBe('message message-1 completed Same.')
    },
  )

  it('is told by its wording, else by what is said next, where the version is not known', () => {
    const fates = (...records: Parameters<typeof play>[0]) =>
      play([thread, says('Same.', 'a'), ...records, turnCompleted]).said.filter((line) =>
        /^message/.test(line),
      )
    const kept = 'message message-1 completed Same.'
    const lost = 'message message-1 retracted Same.'
    expect(fates(errs('Re-connecting... 1/5'))).toEqual([lost])
    expect(fates(errs(cut))).toEqual([kept])
    expect(fates(errs(cut), says('Same. And more.', 'b'))).toEqual([
      lost,
      'message message-2 completed Same. And more.',
    ])
    expect(fates(errs(cut), says('And more.', 'b'))).toEqual([kept, 'message message-2 completed And more.'])
    const shell = completed({ id: 's', type: 'command_execution', command: 'ls', exit_code: 0 })
    expect(fates(errs(cut), shell, says('Same.', 'b'))).toEqual([kept, 'message message-2 completed Same.'])
  })

  it('takes nothing back from before the last tool call, which only a whole response could have led to', () => {
    const shell = completed({ id: 's', type: 'command_execution', command: 'ls', exit_code: 0 })
    const { said } = play(
      [thread, says('First.', 'a'), shell, says('Lost.', 'b'), errs(cut), says('Last.', 'c'), turnCompleted],
      { version: '0.113.0' },
    )
    expect(said.filter((line) => line.startsWith('message'))).toEqual([
      'message message-1 completed First.',
      'message message-2 retracted Lost.',
      'message message-3 completed Last.',
    ])
  })

  it('takes back a message that was still being written', () => {
    const half = started({ id: 'a', type: 'agent_message', text: 'Hal' })
    expect(play([thread, half, errs(cut), turnCompleted], { version: '0.113.0' }).said[2]).toBe(
      'message message-1 retracted Hal',
    )
  })
})
