import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { type BridgeTool, defineTool, startToolBridge, type ToolContext } from '../../src/bridge.ts'

// What is promised here is checked by the compiler; the test only sees that it runs.
test('a tool is typed by its schemas, and any tool is a tool of a bridge', async () => {
  const typed = defineTool({
    name: 'typed',
    description: 'Typed.',
    input: z.object({ city: z.string(), days: z.string().default('1').transform(Number) }),
    output: z.object({ degrees: z.number().default(20) }),
    execute(input, context) {
      expectTypeOf(input).toEqualTypeOf<{ city: string; days: number }>()
      expectTypeOf(context).toEqualTypeOf<ToolContext>()
      return {}
    },
  })
  const untyped = defineTool({
    name: 'untyped',
    description: 'Untyped.',
    input: { type: 'object', properties: { city: { type: 'string' } } },
    execute(input) {
      expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>()
      return [{ type: 'text', text: 'Hello.' }]
    },
  })
  const wrong = defineTool({
    name: 'wrong',
    description: 'Wrong.',
    input: z.object({}),
    output: z.object({ degrees: z.number() }),
    // @ts-expect-error: the schema wants a number
    execute: () => ({ degrees: 'many' }),
  })
  const tools: BridgeTool[] = [typed, untyped]
  const bridge = await startToolBridge({ tools: [...tools, wrong] })
  expect(bridge.url).toMatch(/^http:/)
  await bridge.close()
})
