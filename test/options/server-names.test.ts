import { expect, it } from 'vitest'
import { startTurn } from '../../src/index.ts'
import { checkTurnOptions } from '../../src/options/check.ts'

const server = { type: 'http' as const, url: 'http://127.0.0.1:9/mcp' }
const called = (adapter: string, name: string) => () =>
  checkTurnOptions({ adapter, prompt: 'x', mcpServers: { shop: server, [name]: server } })

it.each([
  ['claude-code', 'ide'],
  ['claude-code', 'workspace'],
  ['claude-code', 'computer-use'],
  ['claude-code', 'claude-in-chrome'],
  ['claude-code', 'Claude_Preview'],
  ['codex-cli', 'codex_apps'],
])('a server with the name of one of the own of %s is refused: %s', (adapter, name) => {
  expect(called(adapter, name)).toThrow(
    expect.objectContaining({
      code: 'invalid_options',
      message: `\`mcpServers.${name}\` has a name that ${adapter} keeps for a server of its own, so that it would leave this one out.`,
      hint: 'Give it another name.',
    }),
  )
})

it.each([
  ['claude-code', 'codex_apps'],
  ['claude-code', 'IDE'],
  ['codex-cli', 'ide'],
  ['pi-cli', 'workspace'],
])('and no other: %s, %s', (adapter, name) => {
  expect(called(adapter, name)).not.toThrow()
})

it('is refused before anything starts', () => {
  expect(() =>
    startTurn({ adapter: 'claude-code', prompt: 'x', mcpServers: { ide: server }, binary: '/nowhere' }),
  ).toThrow('has a name that claude-code keeps')
})
