import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AgentEvent,
  type CompletionEvent,
  openSession,
  type Session,
  startTurn,
} from '../../src/index.ts'
import { checkGuarantees } from '../../src/testing/guarantees.ts'
import { type ModelServer, startModelServer } from '../../src/testing/model-server.ts'
import type { Reply } from '../../src/testing/scenario.ts'
import { scenarios, toolTurnAnswer } from '../../src/testing/scenarios.ts'
import { type AgentAtHand, acpAgents } from './acp-agents.ts'
import { fourteenTools } from './harbour.ts'
import { running } from './running.ts'
import { stateRoot } from './workbench.ts'

const prompt = 'Do what the model says.'
const endless: Reply = { text: Array.from({ length: 400 }, (_, index) => `${index} `), paceMs: 20 }
const touch: Reply[] = [
  { toolCalls: [{ name: 'shell', input: { command: 'touch denied.txt' } }] },
  { text: 'So be it.' },
]
const sleep = (seconds: number): Reply => ({
  text: 'Asleep.',
  toolCalls: [{ name: 'shell', input: { command: `sleep ${seconds}` } }],
})

describe.each(Object.entries(acpAgents))('%s', (name, agent) => {
  let server: ModelServer
  let folder: string
  let hand: AgentAtHand
  let session: Session
  let decision: 'allow' | 'deny' = 'allow'

  const options = () => ({
    adapter: hand.adapter,
    cwd: join(folder, 'project'),
    environment: { ...process.env, ...hand.environment, HOME: join(folder, 'home') },
    home: hand.home,
    conversations: { directory: join(folder, 'conversations') },
    budgets: { totalMs: 100_000 },
  })

  beforeAll(async () => {
    server = await startModelServer()
    await mkdir(stateRoot, { recursive: true })
    folder = await realpath(await mkdtemp(join(stateRoot, 'acp-')))
    await Promise.all(['project', 'home'].map((each) => mkdir(join(folder, each))))
    hand = await agent.settle(folder, server)
    session = await openSession({ ...options(), approvals: () => decision })
  })

  afterAll(async () => {
    await session?.close()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** opencode asks for a title first, without tools. */
  function play(scenario: readonly Reply[]): void {
    let answers = 0
    server.play(
      ({ offeredTools }) => (offeredTools.length > 0 && scenario[answers++]) || { text: 'Nothing.' },
    )
  }

  async function take(
    scenario: readonly Reply[],
    during?: (event: AgentEvent) => void,
  ): Promise<{ events: AgentEvent[]; completion: CompletionEvent }> {
    play(scenario)
    const turn = session.send(prompt)
    const events: AgentEvent[] = []
    for await (const event of turn) {
      events.push(event)
      during?.(event)
    }
    expect(checkGuarantees(events).map((breach) => breach.message)).toEqual([])
    return { events, completion: await turn.completion }
  }

  test('streams its answer in fragments', async () => {
    const { events, completion } = await take(scenarios.text)
    expect([completion.status, completion.text, completion.stopReason]).toEqual([
      'success',
      scenarios.text[0].text,
      'end_turn',
    ])
    expect(events[0]).toMatchObject({
      type: 'session',
      transport: 'live',
      origin: 'new',
      cwd: join(folder, 'project'),
    })
    const deltas = events.filter((event) => event.type === 'delta')
    expect(deltas.length).toBeGreaterThan(5)
    expect(deltas.every((event) => event.contentDelta)).toBe(true)
    expect(completion.usage).toEqual(
      name === 'opencode'
        ? undefined
        : { basis: 'turn', inputTokens: 120, cachedInputTokens: 20, cacheWriteTokens: 0, outputTokens: 40 },
    )
  })

  test('thinks, runs what was allowed, and is in the same conversation', async () => {
    decision = 'allow'
    const { events, completion } = await take(scenarios.toolTurn)
    expect([completion.status, completion.text]).toEqual(['success', toolTurnAnswer])
    expect(events[0]).toMatchObject({ type: 'session', origin: 'resumed', sessionId: session.id })
    expect(events.filter((event) => event.type === 'thinking').length).toBeGreaterThan(10)
    // claude lets what only reads run unasked.
    const asked = name === 'opencode' ? ['ask allow'] : []
    expect(story(events)).toEqual([
      `start ${agent.shell}`,
      ...asked,
      `end ${agent.shell} completed hello from the shell`,
      `start ${agent.shell}`,
      ...asked,
      `end ${agent.shell} completed caf\u00e9 \u{1f6a3}`,
    ])
    const inputs = events.flatMap((event) =>
      event.type === 'tool' && event.phase === 'input' && 'input' in event ? [event.input] : [],
    )
    expect(inputs).toMatchObject([{ command: 'echo hello from the shell' }, {}])
    if (name !== 'opencode') expect(completion.usage?.inputTokens).toBe(360)
  })

  test('does not run what was denied', async () => {
    decision = 'deny'
    const { events, completion } = await take(touch)
    decision = 'allow'
    expect(completion.status).toBe('success')
    expect(story(events).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      `start ${agent.shell}`,
      'ask deny',
      `end ${agent.shell} rejected`,
    ])
    expect(existsSync(join(folder, 'project', 'denied.txt'))).toBe(false)
  })

  test('stops in mid-text', async () => {
    let deltas = 0
    const { completion } = await take([endless], (event) => {
      if (event.type === 'delta' && ++deltas === 5) void session.interrupt()
    })
    expect([completion.status, completion.error?.code]).toEqual(['interrupted', 'aborted'])
    expect(completion.text).toMatch(/^0 1 2/)
  })

  test('stops a running tool, and nothing of it is left', async () => {
    const seconds = 4_711
    const { events, completion } = await take([sleep(seconds)], (event) => {
      if (event.type === 'tool' && event.phase === 'start') {
        void untilRunning(`sleep ${seconds}`).then(() => session.interrupt())
      }
    })
    expect([completion.status, completion.error?.code]).toEqual(['interrupted', 'aborted'])
    expect(events.filter((event) => event.type === 'tool' && event.phase === 'end')).toHaveLength(1)
    expect(running(`sleep ${seconds}`)).toEqual([])
  })

  test('takes what is said to a running turn as the next one', async () => {
    let steering: ReturnType<Session['steer']> | undefined
    const { completion } = await take([{ text: 'First.', paceMs: 100 }, { text: 'Then.' }], (event) => {
      if (event.type === 'delta') steering ??= session.steer('And then?')
    })
    expect([completion.status, completion.text]).toEqual(['success', 'First.'])
    const steered = await steering
    expect(steered?.outcome).toBe('queued')
    expect(await steered?.turn?.text()).toBe('Then.')
    expect(server.requests.at(-1)?.userTexts.at(-1)).toContain('And then?')
  })

  test.each(['maxTokens', 'refusal'] as const)('says how it went: %s', async (scenario) => {
    const { completion } = await take(Array.from({ length: 6 }, () => scenarios[scenario][0]))
    expect(completion.error?.code ?? 'none').toBe(agent.failures[scenario])
  })

  test('goes on after all of that', async () => {
    const { completion } = await take(scenarios.text)
    expect([completion.status, completion.text]).toEqual(['success', scenarios.text[0].text])
    expect(await session.steer('too late')).toMatchObject({ outcome: 'rejected' })
  })

  test('is resumed by another process, where nobody is asked and nothing waits', async () => {
    const { id } = session
    await session.close()
    play(touch)
    const turn = startTurn({ ...options(), prompt, ...(id !== undefined && { resume: id }) })
    const events: AgentEvent[] = []
    for await (const event of turn) events.push(event)
    expect(checkGuarantees(events).map((breach) => breach.message)).toEqual([])
    expect(events[0]).toMatchObject({ type: 'session', origin: 'resumed', sessionId: id })
    expect(story(events).filter((line) => line.startsWith('ask'))).toEqual(['ask deny'])
    expect((await turn.completion).status).toBe('success')
    expect(server.requests.at(-1)?.answersHeld).toBeGreaterThan(5)
  })

  test('calls functions of ours, which events name as they are called', async () => {
    const { tools, calls } = fourteenTools()
    const before = server.requests.length
    server.play(({ offeredTools, toolResults }) => {
      const name = offeredTools.find((tool) => tool.endsWith('tool_3'))
      if (name === undefined || toolResults.length > 0) return { text: 'Done.' }
      return { toolCalls: [{ name, input: { word: 'heave' } }] }
    })
    const turn = startTurn({ ...options(), prompt, approvals: 'approve-all', bridge: tools })
    const events: AgentEvent[] = []
    for await (const event of turn) events.push(event)
    expect(checkGuarantees(events).map((breach) => breach.message)).toEqual([])
    expect((await turn.completion).status).toBe('success')
    const offered = server.requests.slice(before).flatMap(({ offeredTools }) => offeredTools)
    expect(new Set(offered.filter((name) => /bridge_+tool_\d+$/.test(name))).size).toBe(14)
    expect(calls).toEqual([{ name: 'tool_3', input: { word: 'heave' } }])
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool', phase: 'start', server: 'bridge', name: 'tool_3' }),
    )
    expect(story(events)).toEqual(['start tool_3', 'end tool_3 completed done: heave'])
  })
})

async function untilRunning(command: string): Promise<void> {
  while (running(command).length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
}

function story(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'interaction' && event.phase === 'resolved') return [`ask ${event.decision}`]
    if (event.type !== 'tool') return []
    if (event.phase === 'start') return [`start ${event.name}`]
    return event.phase === 'end' ? [`end ${event.name} ${event.status} ${event.output?.trim()}`] : []
  })
}
