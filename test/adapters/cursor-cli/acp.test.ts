import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { cursorAcp } from '../../../src/adapters/cursor-cli/acp.ts'
import { cursorCli } from '../../../src/adapters/cursor-cli.ts'
import {
  type AgentEvent,
  openSession,
  type SessionOptions,
  startTurn,
  type Turn,
} from '../../../src/index.ts'
import type { WireDecision } from '../../../src/protocol/wire.ts'
import { type CursorStandInOptions, cursorStandIn } from '../../../src/testing/cursor-stand-in.ts'
import { checkGuarantees } from '../../../src/testing/guarantees.ts'
import type { Reply } from '../../../src/testing/scenario.ts'
import { toolTurnAnswer } from '../../../src/testing/scenarios.ts'
import { Driven, greeting, type Json } from '../acp/driving.ts'
import { launchContext, launchOptions } from './launching.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cursor-acp-')))
mkdirSync(join(folder, 'cwd'))
afterAll(() => rmSync(folder, { recursive: true }))

const optionsFor = (standIn: CursorStandInOptions, more: Partial<SessionOptions>): SessionOptions => ({
  adapter: 'cursor-cli',
  binary: cursorStandIn({ paceMs: 1, ...standIn }),
  cwd: join(folder, 'cwd'),
  home: { directory: join(folder, 'home') },
  conversations: { directory: join(folder, 'conversations') },
  ...more,
})

async function open(standIn: CursorStandInOptions, more: Partial<SessionOptions> = {}) {
  const session = await openSession(optionsFor(standIn, more))
  onTestFinished(() => session.close())
  return session
}

async function collect(turn: Turn<never>, during?: (event: AgentEvent) => void) {
  const events: AgentEvent[] = []
  for await (const event of turn) {
    events.push(event)
    during?.(event)
  }
  expect(checkGuarantees(events).map((breach) => breach.message)).toEqual([])
  return { events, completion: await turn.completion }
}

const shell = (command: string): Reply => ({ toolCalls: [{ name: 'shell', input: { command } }] })

describe('the stand-in over ACP', () => {
  test('plays the tool turn twice in one session', async () => {
    const session = await open({}, { approvals: 'approve-all' })
    for (const origin of ['new', 'resumed']) {
      const { events, completion } = await collect(session.send('Go.'))
      expect(completion).toMatchObject({ status: 'success', text: toolTurnAnswer, stopReason: 'end_turn' })
      expect(events[0]).toMatchObject({ type: 'session', transport: 'live', origin, sessionId: session.id })
      const ends = events.filter((event) => event.type === 'tool' && event.phase === 'end')
      expect(ends).toMatchObject([
        { status: 'completed', output: 'hello from the shell\n', kind: 'execute' },
        { status: 'completed', output: 'caf\u00e9 \u{1f6a3}\n' },
      ])
      expect(events.filter((event) => event.type === 'thinking').length).toBeGreaterThan(10)
    }
  })

  test.each([
    ['allow', 'completed', 'asked\n'],
    ['deny', 'rejected', 'The user rejected it.'],
  ] as const)('asks for permission: %s', async (decision, status, output) => {
    const session = await open(
      { replies: [shell('echo asked'), { text: 'Done.' }] },
      { approvals: () => decision },
    )
    const { events, completion } = await collect(session.send('Go.'))
    expect(completion).toMatchObject({ status: 'success', text: 'Done.' })
    expect(events.filter((event) => event.type === 'interaction')).toMatchObject([
      { phase: 'request', kind: 'approval', title: '`echo asked`' },
      { phase: 'resolved', decision, by: 'callback' },
    ])
    expect(events.find((event) => event.type === 'tool' && event.phase === 'end')).toMatchObject({
      status,
      output,
    })
  })

  test('waits for nobody where nobody is there', async () => {
    const replies = [shell('echo asked'), { text: 'Done.' }]
    const options = optionsFor({ replies }, { transport: 'live' })
    const { events, completion } = await collect(startTurn({ ...options, prompt: 'Go.' }))
    expect(completion.status).toBe('success')
    expect(events.findLast((event) => event.type === 'interaction')).toMatchObject({
      decision: 'deny',
      by: 'default',
    })
  })

  test('stops in mid-text and in a running tool, and goes on', async () => {
    const replies = [{ text: 'On and on and on and on and on.' }, shell('sleep 4712')]
    const session = await open({ replies, paceMs: 20 }, { approvals: 'approve-all' })
    const inText = await collect(session.send('Go.'), (event) => {
      if (event.type === 'delta' && event.text.includes('and')) void session.interrupt()
    })
    const inTool = await collect(session.send('Go.'), (event) => {
      if (event.type === 'tool' && event.phase === 'input') void session.interrupt()
    })
    for (const { completion } of [inText, inTool]) {
      expect([completion.status, completion.error?.code]).toEqual(['interrupted', 'aborted'])
    }
    expect(inTool.events.find((event) => event.type === 'tool' && event.phase === 'end')).toMatchObject({
      status: 'interrupted',
    })
  })

  test.each([
    ['auth', 'auth'],
    ['usage-limit', 'usage_limit'],
  ] as const)('fails with %s', async (failure, code) => {
    const turn = startTurn({ ...optionsFor({ failure }, { transport: 'live' }), prompt: 'Go.' })
    expect((await collect(turn)).completion.error?.code).toBe(code)
  })

  test('a question and a plan are answered, a to-do list is a plan event', async () => {
    const questions = [
      {
        id: 'q1',
        prompt: 'Which port?',
        options: [
          { id: 'o1', label: 'Bergen' },
          { id: 'o2', label: 'Tromsø' },
        ],
      },
    ]
    const replies: Reply[] = [
      { toolCalls: [{ name: 'askQuestion', input: { title: 'Ports', questions } }] },
      { toolCalls: [{ name: 'createPlan', input: { name: 'Voyage', plan: '1. Go', todos: [] } }] },
      {
        toolCalls: [
          {
            name: 'updateTodos',
            input: { todos: [{ id: 'a', content: 'Row', status: 'pending' }], merge: false },
          },
        ],
      },
    ]
    const session = await open(
      { replies },
      { approvals: () => ({ decision: 'allow', answers: { q1: 'Tromsø' } }) },
    )
    const { events, completion } = await collect(session.send('Go.'))
    expect(completion.status).toBe('success')
    expect(events.filter((event) => event.type === 'interaction' && event.phase === 'request')).toMatchObject(
      [
        {
          kind: 'question',
          title: 'Ports',
          schema: { properties: { q1: { type: 'string', title: 'Which port?' } }, required: ['q1'] },
        },
        { kind: 'plan', title: 'Carry out this plan?\n\nVoyage\n\n1. Go' },
      ],
    )
    expect(completion.text).toBe(
      '{"outcome":{"outcome":"answered","answers":[{"questionId":"q1","selectedOptionIds":["o2"]}]}}' +
        '{"outcome":{"outcome":"accepted"}}',
    )
    expect(events.find((event) => event.type === 'plan')).toMatchObject({
      entries: [{ content: 'Row', status: 'pending' }],
    })
  })
})

describe('the launch', () => {
  test('has the flags before the word', () => {
    const { prompt: _, ...options } = launchOptions({
      model: 'gpt-5',
      approvals: 'approve-all',
      sandbox: 'off',
    })
    const launch = cursorCli.live?.launch(options, launchContext())
    expect(launch?.arguments).toEqual(['--model', 'gpt-5', '--force', '--sandbox', 'disabled', 'acp'])
    expect(launch?.environment).toMatchObject({ NO_OPEN_BROWSER: '1' })
  })

  test('a version without ACP, where "acp" would be the prompt, is not asked for it', () => {
    expect(cursorCli.live?.floor).toBe('2026.06.04')
  })
})

describe("Cursor's own requests", () => {
  const cursor = (): Driven => {
    const driven = new Driven({
      wire: cursorAcp(),
      options: { cwd: '/w', interactions: 'host', model: 'slug' },
    })
    driven.answer(greeting({}, { authMethods: [{ id: 'cursor_login', name: 'Cursor Login' }] })).answer({})
    driven.answer({ sessionId: 's1', models: { currentModelId: 'grok-4.6[effort=high]' } })
    driven.sent()
    return driven.prompt()
  }

  test('the model is the launch’s to choose: the conversation has other names for it', () => {
    expect(
      cursor()
        .sent()
        .map(({ method }) => method),
    ).toEqual(['session/prompt'])
  })

  test.each([
    [
      'cursor/update_todos',
      { todos: [{ id: 'a', content: 'Row', status: 'in_progress' }] },
      { outcome: 'accepted', todos: [{ id: 'a', content: 'Row', status: 'in_progress' }] },
      'plan Row:in_progress',
    ],
    [
      'cursor/task',
      { description: 'Look.', agentId: 'g', durationMs: 5 },
      { outcome: 'completed', agentId: 'g', durationMs: 5 },
      'notice subagent A sub-agent has a task: Look.',
    ],
    [
      'cursor/generate_image',
      { description: 'A boat', filePath: '/x.png' },
      { outcome: 'generated', filePath: '/x.png' },
      'notice image_generated An image was made: A boat',
    ],
  ])('%s is told, and answered where it has an id', (method, params, outcome, line) => {
    const driven = cursor()
    driven.sent()
    driven.agent({ method, params }, { id: 0, method, params })
    expect(driven.sent()).toEqual([{ id: 0, result: { outcome } }])
    expect(driven.said.slice(1)).toEqual([line, line])
  })

  const ask = {
    questions: [
      {
        id: 'q',
        prompt: 'Which?',
        allowMultiple: true,
        options: [
          { id: 'a', label: 'A' },
          { id: 'b', label: 'B' },
        ],
      },
    ],
  }
  test.each<[string, Json, WireDecision, Json]>([
    [
      'cursor/ask_question',
      ask,
      { decision: 'allow', answers: { q: ['A', 'b'] } },
      { outcome: 'answered', answers: [{ questionId: 'q', selectedOptionIds: ['a', 'b'] }] },
    ],
    ['cursor/ask_question', ask, { decision: 'allow' }, { outcome: 'skipped' }],
    [
      'cursor/ask_question',
      ask,
      { decision: 'deny', message: 'Later.' },
      { outcome: 'skipped', reason: 'Later.' },
    ],
    [
      'cursor/create_plan',
      { plan: 'Go' },
      { decision: 'deny', message: 'No.' },
      { outcome: 'rejected', reason: 'No.' },
    ],
    ['cursor/create_plan', { plan: 'Go' }, { decision: 'cancel' }, { outcome: 'cancelled' }],
  ])('%s %j: %j', (method, params, decision, outcome) => {
    const driven = cursor()
    driven.sent()
    driven.ask('x', method, params)
    driven.command({
      type: 'answer',
      interactionId: 'interaction-1',
      decision,
      by: 'host',
    })
    expect(driven.sent()[0]).toEqual({ id: 'x', result: { outcome } })
  })
})
