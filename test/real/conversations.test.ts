import { describe, expect, test } from 'vitest'
import { getAdapter } from '../../src/index.ts'
import { scenarios } from '../../src/testing/scenarios.ts'
import { namedClis } from './clis.ts'
import { Workbench } from './workbench.ts'

describe.each(namedClis)('%s', (_, cli) => {
  test('a conversation goes on from a fresh private home, under its own id', async () => {
    const bench = await Workbench.open(cli, scenarios.text)
    const first = await bench.turn({ prompt: 'Remember the word albatross.' })
    const { sessionId } = first.completion
    expect(sessionId).toEqual(expect.any(String))
    const second = await bench.turn({ prompt: 'Which word?', ...(sessionId && { resume: sessionId }) })
    expect(second.completion).toMatchObject({ status: 'success', sessionId })
    expect(second.events.find((event) => event.type === 'session')).toMatchObject({
      origin: 'resumed',
      sessionId,
    })
    expect(bench.steps().at(-1)?.userTexts.join('\n')).toContain('albatross')
  })

  test('a fork goes on under an id of its own, where the CLI can fork', async () => {
    const bench = await Workbench.open(cli, scenarios.text)
    const { sessionId } = (await bench.turn({ prompt: 'Remember the word albatross.' })).completion
    const fork = () =>
      bench.turn({ prompt: 'Which word?', fork: true, ...(sessionId && { resume: sessionId }) })
    if (!getAdapter(cli.adapter).capabilities.fork) {
      await expect(fork()).rejects.toMatchObject({ code: 'unsupported' })
      return
    }
    const { events, completion } = await fork()
    if (completion.error?.code === 'unsupported') return // this version has no fork, and says so
    expect(completion.status).toBe('success')
    expect(completion.sessionId).not.toBe(sessionId)
    expect(events.find((event) => event.type === 'session')).toMatchObject({ origin: 'forked' })
    expect(bench.steps().at(-1)?.userTexts.join('\n')).toContain('albatross')
  })

  test('a conversation that does not exist is rejected, never started afresh in silence', async () => {
    const bench = await Workbench.open(cli, scenarios.text)
    const { completion } = await bench.turn({ resume: '22222222-2222-4222-8222-222222222222' })
    expect(completion).toMatchObject({ status: 'error', error: { code: 'resume_rejected' } })
  })
})
