import { expect, test } from 'vitest'
import { mcpName, mcpNamesOf, splitMcpName } from '../../src/protocol/mcp-names.ts'

test.each([
  ['shop', 'buy', 'mcp__shop__buy'],
  ['deck-1_x', 'swab__all', 'mcp__deck-1_x__swab__all'],
  ['shop', 'look.up it', 'mcp__shop__look_up_it'],
])('the tool of a server is named by both: %s, %s', (server, tool, name) => {
  expect(mcpName(server, tool)).toBe(name)
})

test.each([
  ['mcp__shop__buy', { server: 'shop', name: 'buy' }],
  ['mcp__deck-1_x__swab__all', { server: 'deck-1_x', name: 'swab__all' }],
  ['mcp__shop', { name: 'mcp__shop' }],
  ['Bash', { name: 'Bash' }],
])('and told apart again: %s', (name, parts) => {
  expect(splitMcpName(name)).toEqual(parts)
})

test.each([
  ['mcp__shop__look_up', { server: 'shop', name: 'look.up' }],
  ['mcp__shop__buy', { server: 'shop', name: 'buy' }],
  ['mcp__shop__sell', { server: 'shop', name: 'sell' }],
  ['mcp__depot__look_up', { server: 'depot', name: 'look_up' }],
])('where a server said what it has, a name is its own again: %s', (name, parts) => {
  expect(mcpNamesOf({ shop: ['buy', 'look.up'] })(name)).toEqual(parts)
})
