import { expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { type CompletionEvent, openSession, startTurn, type Turn, type TurnOptions } from '../../src/index.ts'

const plan = z.object({ steps: z.array(z.string()), risk: z.number().transform(String) })
const base = { adapter: 'claude-code', prompt: 'plan it' }

/** What a turn's answer is typed as; nothing is started. */
function outputOf<S>(_start: () => Turn<S>): Awaited<Turn<S>['completion']>['structuredOutput'] {
  return undefined
}

it('outputSchema types completion.structuredOutput: the output of a zod schema, after its transforms', () => {
  const output = outputOf(() => startTurn({ ...base, outputSchema: plan }))
  expectTypeOf(output).toEqualTypeOf<{ steps: string[]; risk: string } | undefined>()
})

it('a session types it for every turn that it is sent', () => {
  const send = () =>
    openSession({ adapter: 'claude-code', outputSchema: plan }).then((session) => session.send('go'))
  expectTypeOf(send).returns.resolves.toExtend<Turn<typeof plan>>()
  const untyped = () => openSession({ adapter: 'claude-code' }).then((session) => session.send('go'))
  expectTypeOf(untyped).returns.resolves.toExtend<Turn>()
})

it('a JSON Schema of the caller types it unknown, and no schema types it undefined', () => {
  const output = outputOf(() => startTurn({ ...base, outputSchema: { type: 'object' } }))
  expectTypeOf(output).toEqualTypeOf<unknown>()
  expectTypeOf(outputOf(() => startTurn(base))).toEqualTypeOf<undefined>()
})

it('options and turns without a schema fit where any schema is taken', () => {
  expectTypeOf<TurnOptions>().toExtend<TurnOptions<typeof plan>>()
  expectTypeOf<Turn>().toExtend<Turn<typeof plan> | { completion: Promise<CompletionEvent> }>()
  expectTypeOf<{ outputSchema: 'a name' }>().not.toExtend<Pick<TurnOptions<typeof plan>, 'outputSchema'>>()
})
