import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AgentEvent, startTurn, type TurnOptions } from '../../src/index.ts'
import { tinyLiveCli, tinyLiveProgram } from '../tiny-live-cli.ts'
import { collect, gone, scratch } from './probe.ts'

const program = join(scratch, 'live.mjs')
writeFileSync(program, tinyLiveProgram)
const adapter = tinyLiveCli()

function live(prompt: string, options: Partial<TurnOptions> = {}) {
  return startTurn({
    adapter,
    prompt,
    binary: [process.execPath, program],
    cwd: scratch,
    transport: 'live',
    home: { directory: join(scratch, 'home') },
    conversations: { directory: join(scratch, 'talks') },
    ...options,
  })
}

const gist = (events: readonly AgentEvent[]) =>
  events.map((event) => {
    if (event.type === 'interaction')
      return `${event.phase} ${event.interactionId} ${event.decision ?? ''} ${event.by ?? ''}`.trim()
    return event.type === 'completion' ? `completion ${event.status} ${event.text}` : event.type
  })

test('a turn on a live process ends with its terminal record and leaves no process', async () => {
  const events = await collect(live('say:Aye. say:Aye.'))
  expect(gist(events)).toEqual(['session', 'delta', 'delta', 'message', 'completion success Aye.Aye.'])
  expect(events[0]).toMatchObject({ transport: 'live', origin: 'new' })
  expect(events.at(-1)).toMatchObject({
    exitCode: 0,
    signal: null,
    evidence: { by: 'record', detail: 'over' },
  })
  expect(await gone(Number(/talk-(\d+)/.exec(JSON.stringify(events[0]))?.[1]))).toBe(true)
})

test("liveInput: 'required' takes the live transport; without need the one-shot one stays", async () => {
  const [first] = await collect(live('say:x', { transport: 'auto', liveInput: 'required' }))
  expect(first).toMatchObject({ transport: 'live' })
})

test('a steer that the CLI took in is delivered', async () => {
  const turn = live('say:One. steerable')
  expect(await turn.steer(' Two.')).toEqual({ outcome: 'delivered' })
  expect(await turn.text()).toBe('One. Two.')
})

test('a steer that came too late is rejected: no turn can follow', async () => {
  const turn = live('say:One. late')
  expect(await turn.steer('Two.')).toEqual({
    outcome: 'rejected',
    reason: 'The turn was over before the CLI took it in.',
  })
  expect(await turn.text()).toBe('One.')
  expect(await turn.steer('Three.')).toMatchObject({ outcome: 'rejected' })
})

test('an interrupt ends the turn by the word of the CLI', async () => {
  const turn = live('say:Half call wait')
  turn.once('tool', () => void turn.interrupt())
  const events = await collect(turn)
  expect(gist(events).at(-1)).toBe('completion interrupted Half')
  expect(events.at(-1)).toMatchObject({ error: { code: 'aborted' }, evidence: { by: 'host' }, exitCode: 0 })
  expect(events.at(-3)).toMatchObject({ type: 'tool', phase: 'end', status: 'interrupted' })
})

test('a CLI that hears no interrupt is ended, after a while', { timeout: 20_000 }, async () => {
  const turn = live('say:Half hang')
  turn.once('delta', () => void turn.interrupt())
  expect(await turn.completion).toMatchObject({ status: 'interrupted', text: 'Half', signal: 'SIGTERM' })
})

test('a crash in mid-turn is an error with what was said', async () => {
  expect(await live('say:Half die').completion).toMatchObject({
    status: 'error',
    text: 'Half',
    error: { code: 'crashed' },
    exitCode: 3,
  })
})

test('a refused handshake ends the turn before its prompt was sent', async () => {
  const completion = await live('say:x', { scope: { VAR_REFUSE: '1' } }).completion
  expect(completion).toMatchObject({
    status: 'error',
    error: { code: 'auth', message: 'nobody is signed in' },
  })
})

test('a budget ends the turn and says which', async () => {
  expect(await live('say:Half call wait', { budgets: { toolMs: 300 } }).completion).toMatchObject({
    status: 'timeout',
    text: 'Half',
    evidence: { by: 'budget', detail: 'toolMs 300' },
  })
})

test('more than a slow iterator takes stays in the CLI, and nothing is lost', async () => {
  const turn = live('flood:30000')
  let deltas = 0
  for await (const event of turn) if (event.type === 'delta') deltas++
  expect(deltas).toBe(30_000)
})

test('what the CLI asks is denied at once, unless someone is there to answer', async () => {
  const events = await collect(live('ask:a1', { approvals: 'deny' }))
  expect(gist(events)).toEqual([
    'session',
    'request a1',
    'resolved a1 deny default',
    'delta',
    'message',
    'completion success deny;',
  ])
})

test("approvals: 'host' waits for an answer; a second one changes nothing, an unknown one is refused", async () => {
  const turn = live('ask:a1', { approvals: 'host', budgets: { idleMs: 2_000 } })
  turn.on('interaction', (event) => {
    if (event.phase !== 'request') return
    // Longer than idleMs: waiting for a person is not silence.
    setTimeout(async () => {
      await turn.answer('a1', 'allow')
      await turn.answer('a1', { decision: 'deny' })
    }, 2_500)
  })
  const events = await collect(turn)
  expect(gist(events)).toContain('resolved a1 allow host')
  expect(gist(events).at(-1)).toBe('completion success allow;')
})

test('an answer to nothing, or one that is none, is a fault of the caller', async () => {
  const turn = live('asks:a1 wait', { approvals: 'host' })
  await new Promise((resolve) => turn.once('interaction', resolve))
  await expect(turn.answer('a2', 'allow')).rejects.toMatchObject({ code: 'invalid_options' })
  // @ts-expect-error: no such word
  await expect(turn.answer('a1', 'maybe')).rejects.toMatchObject({ code: 'invalid_options' })
  await turn.interrupt()
})

test('a callback answers; one that throws denies, with a notice', async () => {
  const asked: unknown[] = []
  const turn = live('ask:a1 ask:a2', {
    approvals: (request) => {
      asked.push(request)
      if (asked.length === 2) throw new Error('no idea')
      return 'allow'
    },
  })
  const events = await collect(turn)
  expect(asked[0]).toMatchObject({ interactionId: 'a1', title: 'May I?', options: [{ kind: 'allow_once' }] })
  expect(gist(events)).toContain('resolved a1 allow callback')
  expect(gist(events)).toContain('resolved a2 deny default')
  expect(events).toContainEqual(expect.objectContaining({ code: 'approval_callback_failed' }))
})

test('interactionMs answers with no, and says so', async () => {
  const events = await collect(live('ask:a1', { approvals: 'host', budgets: { interactionMs: 50 } }))
  expect(gist(events)).toContain('resolved a1 deny default')
  expect(events).toContainEqual(expect.objectContaining({ code: 'interaction_expired' }))
})

test('a request that the CLI withdraws can be answered without effect', async () => {
  const turn = live('asks:a1 withdraw:a1 steerable', { approvals: 'host' })
  const withdrawn = new Promise<void>((resolve) =>
    turn.on('interaction', (event) => event.phase === 'resolved' && resolve()),
  )
  await withdrawn
  await turn.answer('a1', 'allow')
  await turn.steer('done')
  expect(gist(await collect(turn)).filter((each) => each.startsWith('resolved'))).toEqual([
    'resolved a1 cancel cli',
  ])
})
