import { describe, expect, test } from 'vitest'
import { scenarios } from '../../src/testing/scenarios.ts'
import { realCli } from './clis.ts'
import { Workbench } from './workbench.ts'

/** A single red dot. */
const data =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const image = { type: 'image', mimeType: 'image/png', data } as const

const taken = [
  ['claude-2.1', 'structured'],
  ['claude-2.1', 'live'],
  ['claude-1.0', 'structured'],
  ['codex-0.171', 'live'],
  ['pi-1.6', 'structured'],
  ['pi-1.6', 'live'],
  ['pi-0.73', 'structured'],
] as const

describe('a prompt that is an image alone', () => {
  test.each(taken)('reaches the model: %s, %s', async (alias, transport) => {
    const bench = await Workbench.open(realCli(alias), scenarios.text)
    const { completion, breaches } = await bench.turn({ prompt: [image], transport })
    expect(completion).toMatchObject({
      status: 'success',
      text: 'The tide turns at six, and the boat leaves with it.',
    })
    expect(breaches).toEqual([])
    expect(JSON.stringify(bench.steps().map(({ body }) => body))).toContain(data)
  })

  test('is refused where the CLI takes none: codex exec', async () => {
    const bench = await Workbench.open(realCli('codex-0.171'), scenarios.text)
    const { completion } = await bench.turn({ prompt: [image], transport: 'structured' })
    expect(completion.error).toMatchObject({
      code: 'unsupported',
      message: 'codex exec takes no prompt without words.',
    })
    expect(bench.server.requests).toEqual([])
  })
})
