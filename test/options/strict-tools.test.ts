import { expect, it } from 'vitest'
import { checkTurnOptions } from '../../src/options/check.ts'
import type { TurnOptions } from '../../src/options/turn-options.ts'

const mcpServers = { shop: { type: 'http' as const, url: 'http://127.0.0.1:9/mcp' } }
type Tools = NonNullable<TurnOptions['tools']>
type Row = [adapter: string, tools: Omit<Tools, 'strict'>]

const check = (adapter: string, tools: Omit<Tools, 'strict'>) => () =>
  checkTurnOptions({
    adapter,
    prompt: 'x',
    tools: { ...tools, strict: true },
    ...(tools.mode !== 'native' && { mcpServers }),
  })

it.each<Row>([
  ['codex-cli', { mode: 'mcp_only' }],
  ['codex-cli', { mode: 'mcp_only', allow: ['look'] }],
  ['codex-cli', { mode: 'native', allow: ['view_image'] }],
  ['codex-cli', { mode: 'native', allow: [] }],
  ['codex-cli', { mode: 'hybrid', allow: ['look', 'shell'] }],
])('tools that are strict are refused where the CLI would offer more: %s %j', (adapter, tools) => {
  expect(check(adapter, tools)).toThrow(expect.objectContaining({ code: 'unsupported' }))
  expect(check(adapter, tools)).toThrow(/tools\.strict.*apply_patch/)
})

it.each<Row>([
  ['claude-code', { mode: 'mcp_only' }],
  ['claude-code', { mode: 'native', allow: ['Read'] }],
  ['claude-code', { mode: 'hybrid', allow: ['look', 'Read'] }],
  ['pi-cli', { mode: 'mcp_only' }],
  ['pi-cli', { mode: 'native', allow: ['read'] }],
  ['codex-cli', { mode: 'hybrid' }],
  ['codex-cli', { mode: 'hybrid', allow: ['look'] }],
])('and taken where it offers no more: %s %j', (adapter, tools) => {
  expect(check(adapter, tools)).not.toThrow()
})
