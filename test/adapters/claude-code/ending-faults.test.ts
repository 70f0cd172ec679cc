import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../../src/adapters/claude-code.ts'
import { launchContext, launchOptions } from './launching.ts'
import {
  assistant,
  call,
  completionOf,
  eventsOf,
  failed,
  init,
  result,
  synthetic,
  system,
  text,
  textStory,
  toolResult,
  toolStory,
  toolUse,
} from './turn.ts'

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
