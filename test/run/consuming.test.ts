import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/index.ts'
import { bye, collect, echo, goodTurn, hello, said, say, script, shell, start } from './probe.ts'

/** Says `count` fragments, as fast as stdout takes them. */
function flood(count: number): [string, string] {
  return script(`
    import { once } from 'node:events'
    console.log('${hello}')
    const line = ${JSON.stringify(`${say('x'.repeat(20))}\n`)}.repeat(100)
    for (let sent = 0; sent < ${count}; sent += 100) {
      if (!process.stdout.write(line)) await once(process.stdout, 'drain')
    }
    console.log('${said}\\n${bye}')
  `)
}

test('a slow iterator stops the reading, so that the CLI waits; reading goes on with it, and nothing is lost', async () => {
  let heard = 0
  const hear = (chunk: Uint8Array) => {
    heard += chunk.length
  }
  const turn = start(flood(60_000), {}, { stdout: hear })
  let seen = 0
  for await (const event of turn) {
    if (seen++ !== 0) continue
    expect(event.type).toBe('session')
    await delay(1_500)
    const before = heard
    await delay(500)
    expect(heard).toBe(before)
    expect(heard).toBeLessThan(1_000_000)
  }
  expect(seen).toBe(60_003)
  expect(heard).toBeGreaterThan(2_500_000)
})

test.each(['completion', 'text()'])('reading %s lifts that, and drops nothing', async (how) => {
  const turn = start(flood(50_000))
  const iterator = turn[Symbol.asyncIterator]()
  await iterator.next()
  const text = how === 'completion' ? (await turn.completion).text : await turn.text()
  expect(text).toHaveLength(1_000_000)
  let left = 0
  while (!(await iterator.next()).done) left++
  expect(left).toBe(50_002)
})

test('budgets stand still while a slow iterator does', async () => {
  const flood = shell(echo(hello), `yes '${say('x')}' | head -n 50000`, echo(said, bye))
  const turn = start(flood, { budgets: { idleMs: 1_000 } })
  let first = true
  for await (const _ of turn) {
    if (first) await delay(2_500)
    first = false
  }
  expect((await turn.completion).status).toBe('success')
})

test('a CLI that waits for a slow iterator after its last word is not taken for a lingering one', async () => {
  const words = [hello, ...Array<string>(1_500).fill(say('x')), said, bye].join('\n')
  const turn = start(
    script(`
      process.stdout.write(${JSON.stringify(`${words}\n`)})
      process.stdout.write('{"type":"heartbeat"}\\n'.repeat(20_000))
    `),
    { budgets: { lingerMs: 1_500 } },
  )
  const events: AgentEvent[] = []
  for await (const event of turn) {
    if (events.length === 0) await delay(2_500)
    events.push(event)
  }
  expect(events.filter((event) => event.type === 'notice')).toEqual([])
  expect(events.at(-1)).toMatchObject({ status: 'success', exitCode: 0 })
})

test('an iterator that comes after the end finds everything', async () => {
  const turn = start(shell(echo(...goodTurn)))
  await turn.completion
  expect((await collect(turn)).map((event) => event.type)).toEqual([
    'session',
    'delta',
    'message',
    'completion',
  ])
})

test('a second iterator throws', async () => {
  const turn = start(shell(echo(...goodTurn)))
  await collect(turn)
  await expect(collect(turn)).rejects.toThrow('are being iterated already')
})

test('listeners hear the events of the iterator', async () => {
  const turn = start(shell(echo(...goodTurn)))
  const heard: AgentEvent[] = []
  for (const type of ['session', 'delta', 'message', 'completion'] as const)
    turn.on(type, (event) => heard.push(event))
  const never = () => heard.splice(0)
  turn.on('delta', never).off('delta', never)
  expect(await collect(turn)).toEqual(heard)
  expect(heard).toHaveLength(4)
})

test('text() is the answer, or throws what went wrong', async () => {
  expect(await start(shell(echo(...goodTurn))).text()).toBe('All well.')
  await expect(start(shell('exit 1')).text()).rejects.toMatchObject({
    name: 'AgentError',
    code: 'crashed',
    retryable: true,
  })
})

test('steering and answering say that this transport cannot', async () => {
  const turn = start(shell(echo(...goodTurn)))
  expect(await turn.steer('faster')).toEqual({
    outcome: 'rejected',
    reason: expect.stringContaining("`liveInput: 'required'`"),
  })
  await expect(turn.answer('1', 'allow')).rejects.toMatchObject({ code: 'unsupported' })
  await turn.completion
})

const uncaught: unknown[] = []
const note = (error: unknown) => void uncaught.push(error)
afterEach(() => void process.off('uncaughtException', note))

test('a listener that throws is heard of, and does not harm the turn', async () => {
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', note)
  const turn = start(shell(echo(...goodTurn)))
  turn.on('delta', () => {
    throw new Error('from the listener')
  })
  const events = await collect(turn)
  await delay(0)
  for (const other of others) process.on('uncaughtException', other)
  expect(events.at(-1)).toMatchObject({ status: 'success' })
  expect(uncaught).toMatchObject([{ message: 'from the listener' }])
})

test('with includeRaw an event carries the record that caused it', async () => {
  const events = await collect(start(shell(echo(...goodTurn)), { includeRaw: true }))
  expect(events.map((event) => event.raw)).toEqual([
    { type: 'hello', id: 'talk-1' },
    { type: 'say', text: 'All well.' },
    { type: 'said' },
    undefined,
  ])
})

test('a granted secret is hidden in events, raw records, the tail of stderr and the log', async () => {
  const logged: string[] = []
  const turn = start(
    shell(
      'echo "using $SECRET_A" >&2',
      echo(hello),
      `printf '{"type":"say","text":"it is %s"}\\n' "$SECRET_A"`,
      echo(said, bye),
    ),
    { scope: { SECRET_A: 'hunter2-hunter2' }, includeRaw: true, log: (entry) => logged.push(entry.message) },
  )
  const events = await collect(turn)
  expect(events.at(-1)).toMatchObject({ status: 'success' })
  expect(JSON.stringify([events, logged])).not.toContain('hunter2')
  expect(logged).toHaveLength(1)
})

test('a wire that throws ends its turn with an error, and the host goes on', async () => {
  const { probe } = await import('./probe.ts')
  const { defineAdapter } = await import('../../src/index.ts')
  const broken = defineAdapter({
    ...probe,
    structured: {
      ...probe.structured,
      wire: () => ({
        start: () => ({ events: [] }),
        receive: () => {
          throw new TypeError('no such field')
        },
        end: () => ({ events: [] }),
      }),
    },
  })
  const turn = start(shell(echo(hello), 'exec sleep 1000'), { adapter: broken })
  expect(await turn.completion).toMatchObject({
    status: 'error',
    error: { code: 'protocol', message: 'The adapter failed at what the CLI said: no such field' },
  })
})
