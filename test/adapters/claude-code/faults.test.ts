import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../../src/adapters/claude-code.ts'
import { launchContext, launchOptions } from './launching.ts'
import {
  assistant,
  blockStart,
  blockStop,
  completionOf,
  cut,
  delta,
  eventsOf,
  failed,
  init,
  jsonDelta,
  lastUsage,
  messageDelta,
  messageStart,
  messageStop,
  noticesOf,
  replayed,
  result,
  retry,
  said,
  stream,
  synthetic,
  system,
  text,
  textDelta,
  textStory,
  thinkingStory,
  toolResult,
  toolStory,
  toolUse,
} from './turn.ts'

const line = (record: object) => `${JSON.stringify(record)}\n`
const call = (id: string, name: string, input: object = {}) =>
  assistant(`m-${id}`, [toolUse(id, name, input)])

/** What users of other tools reported of claude: each with an input of our own. The ids are those of the collection. */
describe('faults from the field: framing', () => {
  test('A01: a line in two chunks is one tool result, wherever it is cut', async () => {
    const bytes = Buffer.from(line(toolResult('t1', 'aaaaaaaa')) + line(result('')))
    for (let at = 1; at < bytes.length; at++) {
      const events = await replayed([bytes.subarray(0, at), bytes.subarray(at)])
      expect(toolStory(events)).toEqual(['start t1 unknown', 'end t1 unknown completed aaaaaaaa'])
    }
  })

  test('A02: two and a half objects in one read are two events, and the half waits for its rest', async () => {
    const last = line(result('Aye.'))
    const events = await replayed([
      line(init) + line(assistant('m1', [text('Aye.')])) + last.slice(0, 20),
      last.slice(20),
    ])
    expect(textStory(events)).toEqual(['block Aye.', 'completed Aye.'])
    expect(completionOf(events).status).toBe('success')
  })

  test('A08: a line separator inside of a tool result stays there', async () => {
    const record = JSON.stringify(toolResult('t1', [text('before\u2028after')]))
    expect(record).toContain('\u2028')
    expect(toolStory(await eventsOf([record, result('')])).at(-1)).toBe(
      'end t1 unknown completed before\u2028after',
    )
  })

  test('A10: a line of several MB with an image written twice is one tool result with the image', async () => {
    const data = 'A'.repeat(1_400_000)
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
    const events = await eventsOf([
      toolResult('t1', [image], {}, { tool_use_result: { type: 'image', file: { base64: data } } }),
      result(''),
    ])
    expect(events.find((event) => event.type === 'tool' && event.phase === 'end')).toMatchObject({
      status: 'completed',
      output: '',
      content: [{ type: 'image', mimeType: 'image/png', data }],
    })
  })

  test('A11: an envelope that grows with the file is one small tool result', async () => {
    const originalFile = 'x\n'.repeat(600_000)
    const events = await eventsOf([
      toolResult('t1', 'ok', {}, { tool_use_result: { originalFile } }),
      result(''),
    ])
    expect(toolStory(events).at(-1)).toBe('end t1 unknown completed ok')
  })

  test('A13: two broken lines are two notices, and the answer comes from the result', async () => {
    const whole = JSON.stringify(assistant('m1', [text('part one part two')]))
    const at = whole.indexOf('part two')
    const limit = JSON.stringify({ type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } })
    const events = await eventsOf([
      init,
      `${whole.slice(0, at)}${limit}`,
      whole.slice(at),
      result('part one part two'),
    ])
    expect(noticesOf(events)).toEqual(['line_invalid', 'line_invalid'])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'part one part two' })
  })

  test('A14: log lines are notices and are never glued to the record that follows', async () => {
    const events = await eventsOf([
      '[log_1] sending {',
      "  method: 'post',",
      '}',
      assistant('m1', [text('Aye.')]),
      result('Aye.'),
    ])
    expect(noticesOf(events)).toEqual(['line_invalid', 'line_invalid', 'line_invalid'])
    expect(textStory(events)).toEqual(['block Aye.', 'completed Aye.'])
  })

  test('A16: a result that ends in the middle of a string is no success, exit 0 or not', async () => {
    const events = await replayed([line(init), line(result('aaaa')).slice(0, -30)])
    expect(completionOf(events)).toMatchObject({ status: 'error', error: { code: 'protocol' } })
  })

  test('A16: a last line without its newline counts', async () => {
    const events = await replayed([line(init), line(result('aaaa')).trimEnd()])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'aaaa' })
  })
})

describe('faults from the field: the end', () => {
  test('B03: a stream that ends without a result is an error that keeps the text, exit 0 or not', async () => {
    const events = await eventsOf([init, assistant('m1', [text('all done')], { stop_reason: 'end_turn' })])
    expect(completionOf(events)).toMatchObject({
      status: 'error',
      text: 'all done',
      sessionId: 's1',
      error: { code: 'protocol' },
      exitCode: 0,
    })
  })

  test('B05: only the streaming output is used', () => {
    const { arguments: words } = claudeCode.structured.launch(launchOptions(), launchContext())
    expect(words.slice(0, 5)).toEqual([
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-partial-messages',
    ])
  })

  test('B06: an API error with subtype success and exit 0 is an error, its text no message', async () => {
    const words = 'Your organization has disabled Claude subscription access'
    const events = await eventsOf([
      synthetic(words, { error: 'oauth_org_not_allowed', is_api_error_message: true }),
      failed(words, { terminal_reason: 'api_error', api_error_status: 403 }),
    ])
    expect(completionOf(events)).toMatchObject({
      status: 'error',
      text: '',
      error: { code: 'auth', message: words },
    })
    expect(textStory(events)).toEqual([])
  })

  test('B08: a limit text without any JSON and exit 1 is an error with exit code and tail', async () => {
    const events = await eventsOf(
      ["You've hit your limit"],
      {},
      { exitCode: 1, signal: null, stderr: 'limit\n' },
    )
    expect(completionOf(events)).toMatchObject({ status: 'error', exitCode: 1, stderrTail: 'limit\n' })
  })

  test('B09: the result of a background notice before the answer is not the end', async () => {
    const events = await eventsOf([
      init,
      result('', { num_turns: 0, origin: { kind: 'task-notification' } }),
      assistant('m1', [text('real answer')]),
      result('real answer', { num_turns: 2 }),
    ])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'real answer' })
    expect(events.filter((event) => event.type === 'completion')).toHaveLength(1)
  })

  test('B11: the result of a watcher afterwards replaces neither answer nor structured output', async () => {
    const events = await eventsOf([
      init,
      result('{"ok":true}', { structured_output: { ok: true } }),
      result('nothing new', { origin: { kind: 'task-notification' } }),
    ])
    expect(completionOf(events)).toMatchObject({ text: '{"ok":true}', structuredOutput: { ok: true } })
  })

  test('B12: work in the background outlives the first result; the last one is the end', async () => {
    const events = await eventsOf([
      system('background_tasks_changed', { tasks: [{ task_id: 'b1' }] }),
      result('started 1 agent'),
      system('background_tasks_changed', { tasks: [] }),
      result('final synthesis'),
    ])
    expect(completionOf(events).text).toBe('final synthesis')
  })

  test('B15: an empty result keeps the last text', async () => {
    const events = await eventsOf([
      assistant('m1', [text('Snow on the ridge'), toolUse('t1', 'TodoWrite', { todos: [] })]),
      toolResult('t1', 'ok'),
      result('', { stop_reason: 'end_turn' }),
    ])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'Snow on the ridge' })
  })

  const diagnostic = '[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=null'

  test('B26: an interrupt is an interruption, its text neither answer nor reason', async () => {
    const events = await eventsOf([
      { type: 'control_response', response: { subtype: 'success', request_id: 'r1' } },
      { type: 'user', message: { role: 'user', content: [text('[Request interrupted by user]')] } },
      {
        type: 'result',
        subtype: 'error_during_execution',
        is_error: true,
        terminal_reason: 'aborted_streaming',
        errors: [diagnostic],
      },
    ])
    const completion = completionOf(events)
    expect(completion).toMatchObject({ status: 'interrupted', text: '', error: { code: 'aborted' } })
    expect(completion.error?.message).not.toContain('ede_diagnostic')
  })

  test('B27: a tool that was stopped with the turn is interrupted', async () => {
    const events = await eventsOf([
      call('t1', 'Bash'),
      toolResult('t1', "The user doesn't want to proceed with this tool use.", { is_error: true }),
      {
        type: 'result',
        subtype: 'error_during_execution',
        is_error: true,
        terminal_reason: 'aborted_tools',
        errors: [diagnostic],
      },
    ])
    expect(toolStory(events).at(-1)).toContain('end t1 Bash interrupted')
    expect(completionOf(events).status).toBe('interrupted')
  })

  test('B29: a ceiling that ends the stream without a result closes the open tool', async () => {
    const events = await eventsOf([init, call('t1', 'Skill')])
    expect(toolStory(events).at(-1)).toBe('end t1 Skill interrupted')
    expect(completionOf(events)).toMatchObject({ status: 'error', error: { code: 'protocol' } })
  })
})

describe('faults from the field: errors', () => {
  test('C01: an answer about 401 and invalid keys is an answer', async () => {
    const words = 'Docs: 401 Unauthorized means login required. Invalid API key.'
    const events = await eventsOf([assistant('m1', [text(words)]), result(words)])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: words })
  })

  test.each([
    ['Claude AI usage limit reached|1762952400', { code: 'usage_limit', retryAt: 1_762_952_400_000 }],
    ['Claude AI usage limit reached|soon', { code: 'usage_limit' }],
  ])('C03: the old limit text: %s', async (words, expected) => {
    const { error } = completionOf(await eventsOf([failed(words)]))
    expect(error).toMatchObject(expected)
    expect(error && 'retryAt' in error).toBe('retryAt' in expected)
  })

  test('C04: the new limit text takes its time from the last rejected rate_limit_event', async () => {
    const words = "You've hit your session limit · resets 3:50pm (Asia/Tokyo)"
    const events = await eventsOf([
      {
        type: 'rate_limit_event',
        rate_limit_info: { status: 'rejected', resetsAt: 1_786_964_400, rateLimitType: 'five_hour' },
      },
      failed(words, { api_error_status: 429 }),
    ])
    expect(completionOf(events).error).toMatchObject({
      code: 'usage_limit',
      message: words,
      retryable: true,
      retryAt: 1_786_964_400_000,
    })
  })

  test('C09: an attempt that a retry replaced is retracted, and its tool call does not stay open', async () => {
    const events = await eventsOf([
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'Hel'),
      blockStart(1, toolUse('t1', 'Bash')),
      retry,
      ...said('m2', 'Hello'),
      result('Hello'),
    ])
    expect(textStory(events)).toEqual(['delta Hel', 'retracted Hel', 'delta Hello', 'completed Hello'])
    expect(toolStory(events)).toEqual(['start t1 Bash', 'end t1 Bash retracted'])
    expect(events).toContainEqual(
      expect.objectContaining({
        code: 'retry',
        details: expect.objectContaining({ attempt: 1, status: 529 }),
      }),
    )
    expect(completionOf(events).text).toBe('Hello')
  })

  test('C10: the reason stands among the telemetry', async () => {
    const only = (errors: string[]) =>
      eventsOf([{ type: 'result', subtype: 'error_during_execution', is_error: true, errors }])
    const diagnostic = '[ede_diagnostic] result_type=user'
    expect(completionOf(await only([diagnostic, 'Connection error.'])).error).toMatchObject({
      code: 'network',
      message: 'Connection error.',
    })
    expect(completionOf(await only([diagnostic])).error?.message).toBe(
      'claude ended the turn with error_during_execution, without a reason.',
    )
  })

  test('C13: an unknown id to resume is rejected, without an init before it', async () => {
    const reason = 'No conversation found with session ID: 22222222-2222-4222-8222-222222222222'
    const events = await eventsOf(
      [
        {
          type: 'result',
          subtype: 'error_during_execution',
          is_error: true,
          num_turns: 0,
          session_id: 's9',
          errors: [reason],
        },
      ],
      { resume: '22222222-2222-4222-8222-222222222222' },
      { exitCode: 1, signal: null, stderr: `${reason}\n` },
    )
    expect(events).toHaveLength(1)
    expect(completionOf(events)).toMatchObject({
      status: 'error',
      error: { code: 'resume_rejected', message: reason },
    })
    expect(completionOf(events)).not.toHaveProperty('sessionId')
  })

  test('C12: a failure before the first record is told by stderr', async () => {
    const stderr = 'No conversation found with session ID: 2\n'
    const events = await eventsOf([], {}, { exitCode: 1, signal: null, stderr })
    expect(completionOf(events)).toMatchObject({
      error: { code: 'resume_rejected' },
      exitCode: 1,
      stderrTail: stderr,
    })
  })
})

describe('faults from the field: text, tools and thinking', () => {
  test('D01: deltas and the whole message are one text', async () => {
    const events = await eventsOf([...said('m1', 'ECHO'), result('ECHO')])
    expect(textStory(events)).toEqual(['delta ECHO', 'completed ECHO'])
  })

  test('D02: two messages that read alike are two', async () => {
    const events = await eventsOf([
      assistant('m1', [text('ok')]),
      assistant('m2', [text('ok')]),
      result('ok'),
    ])
    expect(textStory(events)).toEqual(['block ok', 'completed ok', 'block ok', 'completed ok'])
  })

  test("D07: the result's text is no further piece", async () => {
    const events = await eventsOf([assistant('m1', [text('A')]), result('A')])
    expect(textStory(events)).toEqual(['block A', 'completed A'])
  })

  test('D08: a call that is streamed and said whole starts once, with one full input', async () => {
    const events = await eventsOf([
      messageStart('m1'),
      blockStart(1, toolUse('t1', 'Bash')),
      jsonDelta(1, '{"command":"ls"}'),
      assistant('m1', [toolUse('t1', 'Bash', { command: 'ls' })]),
      blockStop(1),
    ])
    expect(toolStory(events).slice(0, -1)).toEqual([
      'start t1 Bash',
      'input t1 Bash +{"command":"ls"}',
      'input t1 Bash {"command":"ls"}',
    ])
  })

  test('E01: an empty fragment is an empty input', async () => {
    const events = await eventsOf([blockStart(1, toolUse('t1', 'now')), jsonDelta(1, ''), blockStop(1)])
    expect(toolStory(events).slice(0, 2)).toEqual(['start t1 now', 'input t1 now {}'])
  })

  test('E03: the input is what the fragments say together, never the empty one of the start', async () => {
    const events = await eventsOf([
      blockStart(0, toolUse('t1', 'Write')),
      jsonDelta(0, '{"file_'),
      jsonDelta(0, 'path":"a.txt","n":10'),
      jsonDelta(0, '0}'),
      blockStop(0),
    ])
    const inputs = events.flatMap((event) =>
      event.type === 'tool' && event.phase === 'input' && event.input !== undefined ? [event.input] : [],
    )
    expect(inputs).toEqual([{ file_path: 'a.txt', n: 100 }])
  })

  test('E04: fragments without a start are no event; fragments that never parse stay raw', async () => {
    const orphans = await eventsOf([jsonDelta(0, '{"a": "x'), jsonDelta(0, 'y"}'), result('')])
    expect(toolStory(orphans)).toEqual([])
    const broken = await eventsOf([
      blockStart(0, toolUse('t1', 'Bash')),
      jsonDelta(0, '{"a": "x'),
      blockStop(0),
    ])
    expect(toolStory(broken)).toEqual(['start t1 Bash', 'input t1 Bash +{"a": "x', 'end t1 Bash interrupted'])
  })

  test('E05: blocks of parent and sub-agent with one index do not mix', async () => {
    const events = await eventsOf([
      blockStart(0, toolUse('tA', 'Read')),
      blockStart(0, toolUse('tB', 'Grep'), 't9'),
      jsonDelta(0, '{"file_path":"a"}'),
      jsonDelta(0, '{"pattern":"b"}', 't9'),
      blockStop(0),
      blockStop(0, 't9'),
    ])
    expect(toolStory(events)).toContain('input tA Read {"file_path":"a"}')
    expect(toolStory(events)).toContain('input@t9 tB Grep {"pattern":"b"}')
  })

  test('E06: a result is a string, blocks, or nothing; a message that is a string is none', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const events = await eventsOf([
      toolResult('t1', 'plain'),
      toolResult('t2', [text('a'), image, text('b')]),
      toolResult('t3', undefined),
      { type: 'user', message: { role: 'user', content: 'plain user text' } },
      result(''),
    ])
    expect(toolStory(events).filter((each) => each.startsWith('end'))).toEqual([
      'end t1 unknown completed plain',
      'end t2 unknown completed a\nb',
      'end t3 unknown completed ',
    ])
    expect(events).toContainEqual(
      expect.objectContaining({
        toolId: 't2',
        phase: 'end',
        content: [text('a'), { type: 'image', mimeType: 'image/png', data: 'AAAA' }, text('b')],
      }),
    )
  })

  test('E07: JSON in a string stays a string', async () => {
    const words = '{"content":[{"type":"image","data":"AAAA"}]}'
    expect(toolStory(await eventsOf([toolResult('t1', words), result('')])).at(-1)).toBe(
      `end t1 unknown completed ${words}`,
    )
  })

  test('F01: thinking that is whole at its start is said once', async () => {
    const block = { type: 'thinking', thinking: 'plan it', signature: 'c2ln' }
    const events = await eventsOf([blockStart(0, block), blockStop(0), result('')])
    expect(thinkingStory(events)).toEqual(['thinking-1 plan it'])
  })

  test('F02: redacted thinking is no fault and says nothing', async () => {
    const events = await eventsOf([
      assistant('m1', [{ type: 'redacted_thinking', data: 'RW5j' }, text('hi')]),
      result('hi'),
    ])
    expect(textStory(events)).toEqual(['block hi', 'completed hi'])
    expect(noticesOf(events)).toEqual([])
  })

  test('F04: no thinking at all is legal', async () => {
    expect(completionOf(await eventsOf([assistant('m1', [text('4')]), result('4')])).status).toBe('success')
  })

  test('G01: a sub-agent is never the answer, not even where there is no other', async () => {
    const report = assistant('m9', [text('private report')], { parent_tool_use_id: 't9' })
    const events = await eventsOf([report, assistant('m1', [text('summary')]), result('summary')])
    expect(textStory(events)).toEqual([
      'block@t9 private report',
      'completed@t9 private report',
      'block summary',
      'completed summary',
    ])
    expect(completionOf(await eventsOf([report, result('')])).text).toBe('')
  })

  test("G03: a sub-agent's deltas stay out of the main text", async () => {
    const events = await eventsOf([
      textDelta(0, 'child', 't9'),
      delta(0, { type: 'thinking_delta', thinking: 'hm' }, 't8'),
      textDelta(0, 'main'),
      result('main'),
    ])
    expect(completionOf(events).text).toBe('main')
    expect(textStory(events)).toContain('delta@t9 child')
  })

  test("G04: a sub-agent's tokens are not the main loop's", async () => {
    const spends = (id: string, input: number, output: number, from: string | null) => {
      const record = assistant(id, [text(id)], { parent_tool_use_id: from })
      return {
        ...record,
        message: { ...record.message, usage: { input_tokens: input, output_tokens: output } },
      }
    }
    const events = await eventsOf([spends('m9', 900, 90, 't9'), spends('m10', 10, 1, null)])
    expect(lastUsage(events)).toMatchObject({ inputTokens: 10, outputTokens: 1 })
  })
})

describe('faults from the field: asking, MCP, conversations', () => {
  test('H01: a question that nobody could answer is visible and rejected', async () => {
    const events = await eventsOf([
      call('tq', 'AskUserQuestion', { questions: [{ question: 'Which?' }] }),
      toolResult('tq', 'Answer questions?', { is_error: true }),
      result('I assumed A.', { permission_denials: [{ tool_name: 'AskUserQuestion', tool_use_id: 'tq' }] }),
    ])
    expect(toolStory(events)).toEqual([
      'start tq AskUserQuestion',
      'input tq AskUserQuestion {"questions":[{"question":"Which?"}]}',
      'end tq AskUserQuestion rejected Answer questions?',
    ])
  })

  test('H07: a call that a hook denied is rejected', async () => {
    const events = await eventsOf([
      call('t1', 'Bash'),
      toolResult('t1', 'Permission denied by hook', { is_error: true }),
      result('could not', { permission_denials: [{ tool_name: 'Bash', tool_use_id: 't1' }] }),
    ])
    expect(toolStory(events).at(-1)).toBe('end t1 Bash rejected Permission denied by hook')
  })

  test('I01: each MCP server that will not come is said; one that is pending may still', async () => {
    const servers = [
      { name: 'db', status: 'failed' },
      { name: 'gh', status: 'needs-auth' },
      { name: 'slow', status: 'pending' },
      { name: 'up', status: 'connected' },
    ]
    const events = await eventsOf([{ ...init, mcp_servers: servers }, result('')])
    const said = events.flatMap((event) =>
      event.type === 'notice' && event.code === 'mcp_server_failed' ? [event.details] : [],
    )
    expect(said).toEqual([
      { server: 'db', status: 'failed' },
      { server: 'gh', status: 'needs-auth' },
    ])
    expect(events[0]).toMatchObject({ type: 'session', mcpServers: servers })
  })

  test('K16, N03: hooks come before init and are no text', async () => {
    const hook = { hook_id: 'h1', hook_name: 'SessionStart:startup', hook_event: 'SessionStart' }
    const events = await eventsOf([
      system('hook_started', hook),
      system('hook_response', {
        ...hook,
        output: 'loud text',
        stdout: 'loud text',
        exit_code: 0,
        outcome: 'success',
      }),
      init,
      result('Aye.'),
    ])
    expect(events.map((event) => event.type)).toEqual(['session', 'delta', 'message', 'completion'])
    expect(JSON.stringify(events)).not.toContain('loud')
  })

  test("M02: the result's id is the one to resume, not init's tag", async () => {
    const events = await eventsOf([{ ...init, session_id: 'TAG' }, result('ok', { session_id: 'ORIGINAL' })])
    expect(completionOf(events).sessionId).toBe('ORIGINAL')
  })

  test('M03: --resume never comes with --session-id', () => {
    const resume = '22222222-2222-4222-8222-222222222222'
    const { arguments: words } = claudeCode.structured.launch(launchOptions({ resume }), launchContext())
    expect(words).toContain('--resume')
    expect(words).not.toContain('--session-id')
    expect(claudeCode.capabilities.reservedArguments['--session-id']).toBe('resume')
  })

  test('M08: a session of another cwd is rejected with what to do; the cwd stands beside the session id', async () => {
    const stderr = 'No conversation found with session ID: 22222222-2222-4222-8222-222222222222\n'
    const resume = { resume: '22222222-2222-4222-8222-222222222222' }
    const lost = await eventsOf([], resume, { exitCode: 1, signal: null, stderr })
    expect(completionOf(lost).error).toMatchObject({
      code: 'resume_rejected',
      hint: 'claude finds a conversation only from the cwd and the `conversations` that it began with.',
    })
    const [first] = await eventsOf([{ ...init, cwd: '/work/a' }, result('Aye.')])
    expect(first).toMatchObject({ type: 'session', sessionId: init.session_id, cwd: '/work/a' })
  })

  test('N01: a rate_limit_event of every session is a note', async () => {
    const info = {
      status: 'allowed',
      resetsAt: 1_771_606_800,
      rateLimitType: 'five_hour',
      isUsingOverage: false,
    }
    const events = await eventsOf([{ type: 'rate_limit_event', rate_limit_info: info }, result('ok')])
    expect(completionOf(events).status).toBe('success')
    expect(events).toContainEqual(
      expect.objectContaining({
        code: 'rate_limit',
        level: 'info',
        details: expect.objectContaining({ resetsAt: 1_771_606_800_000 }),
      }),
    )
  })

  test('N04: records with nearly every field missing still give the answer', async () => {
    const events = await eventsOf([
      { type: 'assistant', message: { content: [text('Hello!')] } },
      { type: 'result', result: '', is_error: false },
    ])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'Hello!' })
  })

  test('N05: a result whose first key is another is a result', async () => {
    const events = await eventsOf([
      '{"duration_api_ms":0,"stop_reason":"end_turn","session_id":"s1","is_error":false,"subtype":"success","result":"ok","type":"result"}',
    ])
    expect(completionOf(events)).toMatchObject({ status: 'success', text: 'ok', sessionId: 's1' })
  })

  test('O01: one message in several records counts once, and the result counts', async () => {
    const usage = {
      input_tokens: 4,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 0,
      output_tokens: 1,
    }
    const part = (block: object) => {
      const record = assistant('m1', [block])
      return { ...record, message: { ...record.message, usage } }
    }
    const parts = [part({ type: 'thinking', thinking: 't' }), part(toolUse('t1', 'Glob', { pattern: '*' }))]
    expect(lastUsage(await eventsOf(parts))).toMatchObject({ inputTokens: 104, outputTokens: 1 })
    const whole = await eventsOf([...parts, result('', { usage: { ...usage, output_tokens: 60 } })])
    expect(completionOf(whole).usage).toMatchObject({
      inputTokens: 104,
      cacheWriteTokens: 100,
      outputTokens: 60,
    })
  })

  test('O02: message_delta repeats the counts of message_start', async () => {
    const counts = { input_tokens: 27, cache_read_input_tokens: 5 }
    const events = await eventsOf([
      messageStart('m1', { ...counts, output_tokens: 1 }),
      messageDelta('end_turn', { ...counts, output_tokens: 47 }),
    ])
    expect(lastUsage(events)).toMatchObject({ inputTokens: 32, cachedInputTokens: 5, outputTokens: 47 })
  })

  test('O05: a cost of 0 is 0, an absent one absent', async () => {
    expect(completionOf(await eventsOf([result('ok', { total_cost_usd: 0 })])).costUsd).toBe(0)
    expect(completionOf(await eventsOf([result('ok')]))).not.toHaveProperty('costUsd')
  })

  test('P01: a compaction is a note, and its summary neither text nor tool', async () => {
    const events = await eventsOf([
      system('compact_boundary', { compact_metadata: { trigger: 'auto', pre_tokens: 967_872 } }),
      {
        type: 'user',
        message: { role: 'user', content: 'This session is being continued…' },
        isSynthetic: true,
      },
      ...said('m1', 'Aye.'),
      result('Aye.'),
    ])
    expect(events.map((event) => event.type)).toEqual([
      'notice',
      'usage',
      'delta',
      'message',
      'session',
      'completion',
    ])
    expect(completionOf(events).text).toBe('Aye.')
  })
})

describe('faults from the field: the launch', () => {
  const launch = claudeCode.structured.launch

  test.each(['- [ ] a task', '--- front matter', 'a'.repeat(200_000)])(
    'L01, L05: a prompt goes by stdin: %#',
    (prompt) => {
      const { arguments: words, stdin } = launch(
        launchOptions({ prompt: [{ type: 'text', text: prompt }] }),
        launchContext(),
      )
      expect(stdin).toBe(prompt)
      expect(words).not.toContain(prompt)
    },
  )

  test('L11: stream-json never comes without --verbose', () => {
    expect(launch(launchOptions(), launchContext()).arguments).toContain('--verbose')
  })

  test('L14: there is no --cwd', () => {
    expect(launch(launchOptions(), launchContext()).arguments).not.toContain('--cwd')
  })

  test('K13: the home is moved by its own variable, never by HOME', () => {
    expect(claudeCode.home.variable).toBe('CLAUDE_CONFIG_DIR')
    expect(launch(launchOptions(), launchContext()).environment).not.toHaveProperty('HOME')
  })
})

test('a stream event that is new is said, and the turn goes on', async () => {
  const events = await eventsOf([
    stream({ type: 'semaphore' }),
    ...cut('m1', 'Ay'),
    messageStop,
    result('Ay'),
  ])
  expect(noticesOf(events)).toEqual(['unknown_record'])
  expect(completionOf(events)).toMatchObject({ status: 'success', text: 'Ay' })
})

test('a word that every object inherits is no entry of a table', async () => {
  const story = [init, call('t', 'constructor'), toolResult('t', 'ok')]
  const events = await eventsOf([
    ...story,
    failed('Oh.', { terminal_reason: 'constructor', subtype: 'toString' }),
  ])
  expect(events.find((event) => event.type === 'tool')).toMatchObject({ name: 'constructor', kind: 'other' })
  expect(completionOf(events)).toMatchObject({ status: 'error', error: { code: 'unknown' } })
})
