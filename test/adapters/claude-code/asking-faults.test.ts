import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../../src/adapters/claude-code.ts'
import { launchContext, launchOptions } from './launching.ts'
import { call, completionOf, eventsOf, init, result, system, toolResult, toolStory } from './turn.ts'

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
})
