import { expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import {
  type CompletionError,
  type CompletionEvent,
  openSession,
  startTurn,
  type Turn,
  type TurnOptions,
} from '../../src/index.ts'

const plan = z.object({ steps: z.array(z.string()), risk: z.number().transform(String) })
const base = { adapter: 'claude-code', prompt: 'plan it' }

/** What its completion is, and what its answer is typed as. */
type CompletionOf<Start extends () => { readonly completion: Promise<CompletionEvent> }> = Awaited<
  ReturnType<Start>['completion']
>
type Output<Start extends () => { readonly completion: Promise<CompletionEvent> }> =
  CompletionOf<Start>['structuredOutput']

it('outputSchema types completion.structuredOutput: the output of a zod schema, after its transforms', () => {
  const start = () => startTurn({ ...base, outputSchema: plan })
  type Plan = { steps: string[]; risk: string }
  expectTypeOf<Output<typeof start>>().toEqualTypeOf<Plan | undefined>()
  type Good = Extract<CompletionOf<typeof start>, { status: 'success' }>
  expectTypeOf<Good['structuredOutput']>().toEqualTypeOf<Plan>()
})

it('the status tells whether there is an error', () => {
  type Of<Status> = Extract<CompletionEvent, { status: Status }>
  expectTypeOf<Of<'success'>['error']>().toEqualTypeOf<undefined>()
  type Bad = Exclude<CompletionEvent, { status: 'success' }>
  expectTypeOf<Bad['status']>().toEqualTypeOf<'error' | 'interrupted' | 'timeout'>()
  expectTypeOf<Bad['error']>().toEqualTypeOf<CompletionError>()
})

it('a session types it for every turn that it is sent', () => {
  const send = () =>
    openSession({ adapter: 'claude-code', outputSchema: plan }).then((session) => session.send('go'))
  expectTypeOf(send).returns.resolves.toExtend<Turn<typeof plan>>()
  const untyped = () => openSession({ adapter: 'claude-code' }).then((session) => session.send('go'))
  expectTypeOf(untyped).returns.resolves.toExtend<Turn>()
})

it('a JSON Schema of the caller types it unknown, and no schema types it undefined', () => {
  const start = () => startTurn({ ...base, outputSchema: { type: 'object' } })
  expectTypeOf<Output<typeof start>>().toEqualTypeOf<unknown>()
  const startWithout = () => startTurn(base)
  expectTypeOf<Output<typeof startWithout>>().toEqualTypeOf<undefined>()
})

it('a callback compiles as one writes it, with one word or several, and not with a word that is none', () => {
  const agree = () => startTurn({ ...base, approvals: async () => 'allow' })
  const agreeAll = () =>
    openSession({ ...base, approvals: async (request) => (request.title ? 'allow' : 'deny') })
  expectTypeOf(agree).returns.toExtend<Turn>()
  expectTypeOf(agreeAll).toBeFunction()
  const explain = () =>
    startTurn({ ...base, outputSchema: plan, approvals: async () => ({ decision: 'deny', message: 'No.' }) })
  expectTypeOf(explain).returns.toExtend<Turn<typeof plan>>()
  // @ts-expect-error: no such word
  expectTypeOf(() => startTurn({ ...base, approvals: async () => 'alow' })).toBeFunction()
})

it('a command as `binary` compiles from a plain list: that it is not empty, the check says', () => {
  const words = ['node', 'cli.js']
  expectTypeOf(() => startTurn({ ...base, binary: words })).returns.toExtend<Turn>()
})

it('options and turns without a schema fit where any schema is taken', () => {
  expectTypeOf<TurnOptions>().toExtend<TurnOptions<typeof plan>>()
  expectTypeOf<Turn>().toExtend<Turn<typeof plan> | { completion: Promise<CompletionEvent> }>()
  expectTypeOf<{ outputSchema: 'a name' }>().not.toExtend<Pick<TurnOptions<typeof plan>, 'outputSchema'>>()
})
