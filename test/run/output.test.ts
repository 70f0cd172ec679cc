import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type Adapter, defineAdapter, openSession, replay, type Schema } from '../../src/index.ts'
import { tinyLiveCli, tinyLiveProgram } from '../tiny-live-cli.ts'
import { bye, collect, echo, hello, probe, said, say, scratch, shell, start } from './probe.ts'

const trip = z.object({ city: z.string(), ports: z.array(z.int()).transform((all) => all.length) })
const answer = '{"city":"Bergen","ports":[1,2]}'

/** A CLI of ours that would hold its model to a schema, but for lists. */
const native: Adapter = defineAdapter({
  ...probe,
  capabilities: { ...probe.capabilities, outputSchema: 'native' },
  withoutOutputSchema: (schema, { version }) =>
    JSON.stringify(schema).includes('"array"') ? `it has a list, and this is ${version}` : undefined,
  structured: {
    ...probe.structured,
    launch: (options, context) => ({
      ...probe.structured.launch(options, context),
      environment: { SCHEMA: JSON.stringify(options.outputSchema ?? 'none') },
    }),
  },
})

/** Says what it was asked, and what schema it got, as its answer. */
const mirror = shell(
  `printf '%s\\n' '${hello}'`,
  `node -e 'console.log(JSON.stringify({ type: "say", text: JSON.stringify({ prompt: require("fs").readFileSync(0, "utf8"), schema: process.env.SCHEMA ?? null }) }))'`,
  echo(said, bye),
)

describe('an answer that fits', () => {
  test('is the structured output, as the schema makes it; the text stays', async () => {
    const events = await collect(start(shell(echo(hello, say(answer), said, bye)), { outputSchema: trip }))
    expect(events.at(-1)).toMatchObject({
      status: 'success',
      text: answer,
      structuredOutput: { city: 'Bergen', ports: 2 },
      evidence: { by: 'record', detail: 'bye' },
    })
  })
})

test('an answer that does not fit is output_mismatch, also of text()', async () => {
  const turn = start(shell(echo(hello, say('{"city":1,"ports":[]}'), said, bye)), { outputSchema: trip })
  await expect(turn.text()).rejects.toMatchObject({
    code: 'output_mismatch',
    issues: [{ path: 'city', message: 'Invalid input: expected string, received number' }],
  })
  const completion = await turn.completion
  expect(completion).toMatchObject({ status: 'error', text: '{"city":1,"ports":[]}' })
  expect(completion).not.toHaveProperty('structuredOutput')
})

test.each([
  ['a bigint', (text: string): unknown => BigInt(text.length)],
  ['nothing', (): unknown => undefined],
  [
    'a circle',
    (): unknown => {
      const circle: { self?: unknown } = {}
      circle.self = circle
      return circle
    },
  ],
])('what a schema makes of an answer must be JSON, as events are: %s', async (_title, make) => {
  const outputSchema = z.object({ city: z.string().transform(make) }).transform(({ city }) => city)
  const { status, error, ...rest } = await start(shell(echo(hello, say('{"city":"Ulm"}'), said, bye)), {
    outputSchema,
  }).completion
  expect({ status, code: error?.code }).toEqual({ status: 'error', code: 'output_mismatch' })
  expect(JSON.stringify({ error, ...rest })).toContain('JSON cannot say')
})

test('secrets are hidden in the output and in the issues, and do not change what is checked', async () => {
  const schema = z.object({ key: z.literal('hunter2hunter2') })
  const options = { outputSchema: schema, redact: ['hunter2hunter2'] }
  const good = await start(shell(echo(hello, say('{"key":"hunter2hunter2"}'), said, bye)), options).completion
  expect(good).toMatchObject({ status: 'success', structuredOutput: { key: '[redacted:VALUE_1]' } })
  const bad = await start(shell(echo(hello, say('{"hunter2hunter2":1}'), said, bye)), options).completion
  expect(bad.error?.code).toBe('output_mismatch')
  expect(JSON.stringify(bad)).not.toContain('hunter2hunter2')
})

describe('what the CLI gets', () => {
  const ask = async (adapter: Adapter, outputSchema: Schema) => {
    const events = await collect(
      start(mirror, { adapter, prompt: 'Which city? @home', outputSchema: outputSchema }),
    )
    const last = events.at(-1)
    const { prompt, schema } = JSON.parse(last?.type === 'completion' ? last.text : '{}')
    return {
      prompt,
      schema: JSON.parse(schema ?? 'null'),
      notices: events.filter(({ type }) => type === 'notice'),
    }
  }

  test('where the prompt has to ask: its words as they are, and behind them the schema', async () => {
    const { prompt, notices } = await ask(probe, { type: 'object', required: ['prompt'] })
    expect(prompt).toBe(
      'Which city? @home\n\nThe last message of your answer must be JSON alone, without a code fence or any other word, that fits this JSON Schema:\n{"type":"object","required":["prompt"]}',
    )
    expect(notices).toEqual([])
  })

  test('where it holds its model to one: the schema, and the prompt alone', async () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      required: ['prompt'],
    }
    expect(await ask(native, schema)).toEqual({
      prompt: 'Which city? @home',
      schema: { type: 'object', required: ['prompt'] },
      notices: [],
    })
  })

  test('where it cannot for this schema: it is asked, and a notice says why', async () => {
    const schema = { type: 'object', properties: { prompt: { type: ['string', 'array'] } } }
    const { prompt, schema: got, notices } = await ask(native, schema)
    expect(prompt).toContain('fits this JSON Schema:\n{"type":"object"')
    expect(got).toBe('none')
    expect(notices).toMatchObject([
      {
        code: 'output_asked',
        message:
          'The prompt asks for the outputSchema, for tiny-cli 1.1.0 cannot hold its model to it: it has a list, and this is 1.1.0.',
      },
    ])
  })
})

test('in a session it holds for every turn, and each is asked', async () => {
  const program = join(scratch, 'live-output.mjs')
  writeFileSync(program, tinyLiveProgram)
  const session = await openSession({
    adapter: tinyLiveCli(),
    binary: [process.execPath, program],
    cwd: scratch,
    home: { directory: join(scratch, 'home') },
    conversations: { directory: join(scratch, 'talks') },
    outputSchema: z.string().transform((text) => text.length),
  })
  onTestFinished(() => session.close())
  const good = await session.send('say:"One" ').completion
  const bad = await session.send('say:Two').completion
  const again = await session.send('say:"Three" ').completion
  // The word goes on into what was asked.
  expect(bad.text).toBe('Two\n\nThe')
  expect([good.structuredOutput, bad.error?.code, again.structuredOutput]).toEqual([3, 'output_mismatch', 5])
})

test('a replay holds its answers against the schema as the turn did, on what was said before it was redacted', async () => {
  const stdout = [hello, say('{"key":"hunter2hunter2"}'), said, bye].join('\n')
  const schema = z.object({ key: z.literal('hunter2hunter2') })
  const judged = async (outputSchema: Schema) => {
    const options = { outputSchema, redact: ['hunter2hunter2'] }
    const events = await collect(replay({ adapter: probe, stdout: [stdout], options }))
    expect(events.map(({ type }) => type)).toEqual(['session', 'delta', 'message', 'completion'])
    return events.at(-1)
  }
  expect(await judged(schema)).toMatchObject({
    status: 'success',
    structuredOutput: { key: '[redacted:VALUE_1]' },
    text: '{"key":"[redacted:VALUE_1]"}',
  })
  expect(await judged({ type: 'array' })).toMatchObject({
    status: 'error',
    error: { code: 'output_mismatch', issues: [{ path: '', message: 'must be array' }] },
    seq: 3,
  })
})
