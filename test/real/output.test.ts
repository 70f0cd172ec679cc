import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openSession } from '../../src/index.ts'
import type { Reply, Scenario } from '../../src/testing/scenario.ts'
import { type RealCli, realCli } from './clis.ts'
import { Workbench } from './workbench.ts'

const trip = z.object({
  city: z.string().describe('where to'),
  ports: z.array(z.int()).transform((all) => all.length),
})
const fits = { city: 'Bergen', ports: [7, 9] }
const wrong = { city: 7, ports: [] }
const look: Reply = {
  text: 'I look around.',
  toolCalls: [{ name: 'shell', input: { command: 'echo harbour' } }],
}

type Way = 'tool' | 'format' | 'asked'
/** How each CLI gets its model to a schema. */
const clis: readonly [string, RealCli, 'structured' | 'live', Way][] = [
  ['claude 2.1.332', realCli('claude-2.1'), 'structured', 'tool'],
  ['claude 2.1.332, live', realCli('claude-2.1'), 'live', 'tool'],
  ['claude 2.0.72, live', realCli('claude-2.0'), 'live', 'asked'],
  ['codex 0.171.0, exec', realCli('codex-0.171'), 'structured', 'format'],
  ['codex 0.171.0, app-server', realCli('codex-0.171'), 'live', 'format'],
  ['codex 0.113.0, app-server', realCli('codex-0.113'), 'live', 'format'],
  ['codex 0.55.0, exec', realCli('codex-0.55'), 'structured', 'format'],
  ['pi 1.6.0', realCli('pi-1.6'), 'structured', 'asked'],
  ['pi 1.3.0, live', realCli('pi-1.3'), 'live', 'asked'],
  ['pi 0.73.1, live', realCli('pi-0.73'), 'live', 'asked'],
]

/** The answer as the model says it to this CLI. */
function says(output: object, way: Way): Reply {
  if (way === 'tool')
    return { text: 'Here it is.', toolCalls: [{ name: 'StructuredOutput', input: { ...output } }] }
  return { text: way === 'format' ? JSON.stringify(output) : `\`\`\`json\n${JSON.stringify(output)}\n\`\`\`` }
}

describe.each(clis)('%s', (_, cli, transport, way) => {
  const turn = async (scenario: Scenario) => {
    const bench = await Workbench.open(cli, scenario)
    return { bench, ...(await bench.turn({ transport, outputSchema: trip, prompt: 'Which city?' })) }
  }

  test('an answer that fits, after a tool, is the structured output', async () => {
    const { bench, completion, events, breaches } = await turn([look, says(fits, way)])
    expect(completion).toMatchObject({
      status: 'success',
      structuredOutput: { city: 'Bergen', ports: 2 },
    })
    expect(completion.text).toContain('"city":"Bergen"')
    const tools = events.flatMap((event) =>
      event.type === 'tool' && event.phase === 'end' ? [event.status] : [],
    )
    expect(tools).toEqual(['completed'])
    expect(breaches).toEqual([])
    const [first] = bench.steps().filter((request) => request.offeredTools.length > 0)
    const asked = first?.userTexts.some((text) => text.includes('fits this JSON Schema:\n{"type":"object"'))
    expect(asked).toBe(way === 'asked')
    expect(first?.userTexts.some((text) => text.startsWith('Which city?'))).toBe(true)
    expect(JSON.stringify(first?.body).includes('where to')).toBe(true)
    expect(first?.offeredTools.includes('StructuredOutput')).toBe(way === 'tool')
    if (way !== 'format') return
    expect(first?.body).toMatchObject({
      text: { format: { type: 'json_schema', strict: true, schema: { additionalProperties: false } } },
    })
  })

  test('an answer that does not fit is output_mismatch, with what is wrong', async () => {
    const { completion, breaches } = await turn([says(wrong, way)])
    expect(completion).toMatchObject({ status: 'error', error: { code: 'output_mismatch' } })
    expect(JSON.stringify(completion.error?.issues)).toMatch(/city/)
    expect(completion).not.toHaveProperty('structuredOutput')
    expect(breaches).toEqual([])
  })

  test('a model that only talks is output_mismatch, and keeps its text', async () => {
    const { completion, bench, breaches } = await turn([{ text: 'Somewhere nice.' }])
    expect(completion).toMatchObject({
      status: 'error',
      text: 'Somewhere nice.',
      error: { code: 'output_mismatch', issues: [{ path: '', message: 'the answer is no JSON' }] },
    })
    // claude itself asks once more.
    expect(bench.steps().filter((request) => request.offeredTools.length > 0)).toHaveLength(
      way === 'tool' ? 2 : 1,
    )
    expect(breaches).toEqual([])
  })
})

describe.each([
  ['claude 2.1.332', realCli('claude-2.1'), 'tool'],
  ['codex 0.171.0', realCli('codex-0.171'), 'format'],
  ['pi 1.6.0', realCli('pi-1.6'), 'asked'],
] as const)('a session of %s', (_, cli, way) => {
  test('holds every turn to the schema, and its conversation resumes with it', async () => {
    const outputs = [fits, { ...fits, city: 'Oslo' }]
    const scenario: Scenario = (_request, answersHeld) => says(outputs[answersHeld] ?? wrong, way)
    const bench = await Workbench.open(cli, scenario)
    const { prompt: _prompt, ...options } = bench.options({ outputSchema: trip })
    const session = await openSession(options)
    onTestFinished(() => session.close())
    const first = await session.send('Where first?').completion
    const second = await session.send('And then?').completion
    expect([first, second].map(({ structuredOutput }) => structuredOutput)).toEqual([
      { city: 'Bergen', ports: 2 },
      { city: 'Oslo', ports: 2 },
    ])
    await session.close()
    const resume = second.sessionId ?? ''
    const { completion } = await bench.turn({ outputSchema: trip, resume, transport: 'structured' })
    expect(completion.error?.code).toBe('output_mismatch')
  })
})
