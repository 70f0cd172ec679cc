import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentEvent, TurnOptions } from '../../src/index.ts'
import { deriveBridgeVariables } from '../../src/index.ts'
import { bye, collect, echo, goodTurn, hello, said, say, scratchFile, shell, start } from './probe.ts'
import { toolful } from './toolful.ts'

const token = 'shipshape-and-bristol-fashion'
const scope = deriveBridgeVariables({ url: 'http://127.0.0.1:9', token, sessionId: 's1' })

function run(program: string, options: Partial<TurnOptions> = {}): Promise<AgentEvent[]> {
  const cwd = scratchFile('workspace')
  mkdirSync(join(cwd, 'deep', '.hidden'), { recursive: true })
  writeFileSync(join(cwd, 'old.txt'), token)
  const past = new Date(0)
  utimesSync(join(cwd, 'old.txt'), past, past)
  return collect(start(program, { adapter: toolful, cwd, scope, apiTransport: 'native_shell', ...options }))
}

const exposed = (events: readonly AgentEvent[]) =>
  events.flatMap((event) =>
    event.type === 'notice' && event.code === 'token_exposed' ? [event.message] : [],
  )

test("a session's token in a file that the turn wrote is told, by the file's name, before the completion", async () => {
  const events = await run(
    shell(
      'echo "token = $MCP_API_TOKEN" > deep/.hidden/notes.txt',
      'echo "$MCP_AUTH" > header',
      'echo nothing > clean.txt',
      echo(...goodTurn),
    ),
  )
  expect(exposed(events)).toEqual([
    "The session's token stands in the file deep/.hidden/notes.txt of the workspace.",
    "The session's token stands in the file header of the workspace.",
  ])
  expect(events.at(-1)).toMatchObject({ type: 'completion', status: 'success' })
  expect(JSON.stringify(events)).not.toContain(token)
})

test('one that the CLI says is told, though it is hidden there', async () => {
  const call = JSON.stringify({ type: 'call', id: 'c1', name: 'shell', input: { command: `curl ${token}` } })
  const result = JSON.stringify({ type: 'result', id: 'c1', text: 'ok' })
  const lines = [hello, call, result, say(`It is ${token.slice(0, 9)}`), say(`${token.slice(9)}.`), said, bye]
  const events = await run(shell(echo(...lines)))
  expect(exposed(events).slice(0, 2)).toEqual([
    "The session's token was said in the tool shell.",
    "The session's token was said in an answer.",
  ])
  expect(JSON.stringify(events)).not.toContain(token)
})

test('nothing is looked for where no shell was given a token', async () => {
  const program = shell(`echo ${token} > leak.txt`, echo(...goodTurn))
  expect(exposed(await run(program, { apiTransport: 'bridge_shell' }))).toEqual([])
})
