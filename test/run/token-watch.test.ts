import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type AgentEvent,
  defineAdapter,
  deriveBridgeVariables,
  openSession,
  startTurn,
  type TurnOptions,
} from '../../src/index.ts'
import { tinyLiveCli, tinyLiveProgram } from '../tiny-live-cli.ts'
import {
  bye,
  collect,
  echo,
  goodTurn,
  hello,
  said,
  say,
  scratch,
  scratchFile,
  shell,
  start,
} from './probe.ts'
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

test('one on stderr is told, and so is one in what the CLI says of its end', async () => {
  const failed = await run(shell('echo "Tried $MCP_AUTH" >&2', echo(hello), 'exit 3'))
  expect(exposed(failed)).toContain("The session's token was said in stderr.")
  expect(JSON.stringify(failed)).not.toContain(token)
})

describe('on the live transport', () => {
  const live = tinyLiveCli()
  const adapter = defineAdapter({ ...live, capabilities: { ...live.capabilities, nativeShell: ['deny'] } })
  const program = join(scratch, 'live-with-stderr.mjs')
  writeFileSync(program, `console.error('Tried ' + process.env.MCP_AUTH)\n${tinyLiveProgram}`)
  const options = {
    adapter,
    binary: [process.execPath, program] as [string, string],
    scope,
    apiTransport: 'native_shell' as const,
    conversations: 'discard' as const,
  }
  const prompt = `say:${token.slice(0, 12)} say:${token.slice(12)}`
  const told = ["The session's token was said in an answer.", "The session's token was said in stderr."]

  test('each turn of a session tells it before its completion', async () => {
    const cwd = scratchFile('workspace')
    mkdirSync(cwd)
    const session = await openSession({ ...options, cwd })
    const first = await collect(session.send(prompt))
    const second = await collect(session.send('say:Nothing.'))
    await session.close()
    expect(exposed(first)).toEqual(told)
    expect(first.at(-1)?.type).toBe('completion')
    // What it printed stands in the tail of every completion.
    expect(exposed(second)).toEqual([told[1]])
    expect(JSON.stringify([first, second])).not.toContain(token)
  })

  test('and so does a turn of its own', async () => {
    const cwd = scratchFile('workspace')
    mkdirSync(cwd)
    const events = await collect(startTurn({ ...options, cwd, prompt, transport: 'live' }))
    expect(exposed(events)).toEqual(told)
    expect(events.at(-1)).toMatchObject({ type: 'completion', status: 'success' })
    expect(JSON.stringify(events)).not.toContain(token)
  })
})
