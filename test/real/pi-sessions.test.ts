import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AgentEvent, openSession, type SessionOptions } from '../../src/index.ts'
import type { Reply, Scenario } from '../../src/testing/scenario.ts'
import { namedClis } from './clis.ts'
import { Workbench } from './workbench.ts'

const extension = fileURLToPath(new URL('./pi-extensions/asking.ts', import.meta.url))
const busying = fileURLToPath(new URL('./pi-extensions/busying.ts', import.meta.url))
const shell = (command: string): Reply => ({ toolCalls: [{ name: 'shell', input: { command } }] })

/** What the model does is what it was told last. */
const obedient: Scenario = ({ userTexts, toolResults }) => {
  const told = userTexts.at(-1) ?? ''
  const [, word, rest = ''] = /^(\w+):(.*)$/s.exec(told) ?? []
  if (word === 'run' && toolResults.length === 0) return shell(rest)
  if (word === 'run') return { text: `It said: ${toolResults.at(-1)?.trim()}` }
  return { text: word === 'talk' ? 'word '.repeat(200) : `I heard ${told}`, paceMs: word === 'talk' ? 10 : 0 }
}

async function open(bench: Workbench, more: Partial<SessionOptions> = {}) {
  const { prompt: _, ...options } = bench.options()
  const session = await openSession({ ...options, ...more })
  onTestFinished(() => session.close())
  return session
}

const isThere = (command: string) =>
  spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout.split('\n').includes(command)

describe.each(namedClis.filter(([, cli]) => cli.adapter === 'pi-cli'))('%s', (_, cli) => {
  test('takes many turns in one process, each with its own usage', async () => {
    const bench = await Workbench.open(cli, obedient)
    const session = await open(bench)
    const first = await session.send('One.').completion
    const second = await session.send('/two @three').completion
    expect([first.text, second.text]).toEqual(['I heard One.', 'I heard /two @three'])
    expect([first.usage?.inputTokens, second.usage?.inputTokens]).toEqual([120, 120])
    expect(second.sessionId).toBe(first.sessionId)
    await session.close()
    expect(await session.closed).toBeUndefined()
  })

  test('is stopped in a running command, which is gone then, and goes on', async () => {
    const bench = await Workbench.open(cli, obedient)
    const session = await open(bench)
    const command = `sleep 30.${process.pid}${cli.version.replaceAll('.', '')}`
    const turn = session.send(`run:${command}`)
    for await (const event of turn) {
      if (event.type !== 'tool' || event.phase !== 'input' || event.input === undefined) continue
      await expect.poll(() => isThere(command)).toBe(true)
      await session.interrupt()
    }
    expect((await turn.completion).status).toBe('interrupted')
    await expect.poll(() => isThere(command)).toBe(false)
    expect(await session.send('Still there?').text()).toBe('I heard Still there?')
  })

  test('takes in what is said while it works, and refuses what comes when nothing runs', async () => {
    const bench = await Workbench.open(cli, obedient)
    const session = await open(bench)
    const turn = session.send('talk:')
    let steered: Awaited<ReturnType<typeof session.steer>> | undefined
    for await (const event of turn) {
      if (event.type === 'delta' && !steered) {
        const steering = session.steer('Turn to port.')
        steered = { outcome: 'rejected' }
        void steering.then((outcome) => {
          steered = outcome
        })
      }
    }
    expect(steered).toEqual({ outcome: 'delivered' })
    expect((await turn.completion).text).toBe('I heard Turn to port.')
    expect((await session.steer('Anyone?')).outcome).toBe('rejected')
    expect(await session.send('Last.').text()).toBe('I heard Last.')
    expect(bench.steps().at(-1)?.userTexts.join()).not.toContain('Anyone?')
  })

  test('asks what its extensions ask', async () => {
    const bench = await Workbench.open(cli, obedient)
    const session = await open(bench, { approvals: 'host', arguments: ['-e', extension] })
    const asked: AgentEvent[] = []
    const turn = session.send('run:echo select')
    for await (const event of turn) {
      if (event.type !== 'interaction') continue
      asked.push(event)
      if (event.phase === 'request') {
        await session.answer(event.interactionId, { decision: 'allow', answers: { value: 'port' } })
      }
    }
    expect(asked).toMatchObject([
      { phase: 'request', kind: 'question', title: 'Which way?' },
      { phase: 'resolved', decision: 'allow', by: 'host' },
    ])
    expect((await turn.completion).text).toBe('It said: answered: port')
  })

  test('keeps what an extension runs by itself out of the turns, which wait for it', async () => {
    const bench = await Workbench.open(cli, obedient)
    const session = await open(bench, { arguments: ['-e', busying] })
    const first = await session.send('One.').completion
    const second = await session.send('Two.').completion
    expect([first.text, second.text]).toEqual(['I heard One.', 'I heard Two.'])
    const told = bench.steps().map(({ userTexts }) => userTexts.at(-1))
    expect(told.filter((text) => !text?.startsWith('talk:'))).toEqual(['One.', 'Two.'])
    expect(told).toContain('talk:at the start')
  })
})
