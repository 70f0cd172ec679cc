import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { InteractionPayload } from '../../src/index.ts'
import { realCli } from './clis.ts'
import { Workbench } from './workbench.ts'

const server = {
  type: 'stdio' as const,
  command: process.execPath,
  args: [fileURLToPath(new URL('elicitation-server.mjs', import.meta.url))],
}

describe.each(['claude-2.1', 'codex-0.171'])('what a server asks in mid-call, through %s', (alias) => {
  async function moor(decision: 'allow' | 'deny') {
    const bench = await Workbench.open(realCli(alias), [
      { toolCalls: [{ name: 'mcp__harbour__moor', input: {} }] },
      { text: 'Done.' },
    ])
    const forms: InteractionPayload[] = []
    const { completion } = await bench.turn({
      mcpServers: { harbour: server },
      tools: { mode: 'mcp_only' },
      approvals: (request) => {
        if (request.kind !== 'form') return 'allow'
        forms.push(request)
        return { decision, answers: { berth: 'north', nights: '3' } }
      },
    })
    const told = bench.server.requests.flatMap(({ toolResults }) => toolResults)
    return { completion, forms, told: told.join('\n') }
  }

  test('arrives as a form, whose answers reach it in the types of its schema', async () => {
    const { completion, forms, told } = await moor('allow')
    expect(completion).toMatchObject({ status: 'success', text: 'Done.' })
    expect(forms).toMatchObject([
      {
        title: expect.stringContaining('Which berth, and for how many nights?'),
        schema: { properties: { berth: { type: 'string' }, nights: { type: 'integer' } } },
      },
    ])
    expect(told).toContain('{"action":"accept","berth":"north","nights":3}')
  })

  test('is declined where the host says no', async () => {
    const { completion, told } = await moor('deny')
    expect(completion).toMatchObject({ status: 'success' })
    expect(told).toContain('"action":"decline"')
  })
})
