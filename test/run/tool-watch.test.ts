import { describe, expect, it, test } from 'vitest'
import { replay, type TurnOptions } from '../../src/index.ts'
import { watchTools } from '../../src/run/tool-watch.ts'
import { bye, collect, echo, goodTurn, hello, shell, start } from './probe.ts'
import { toolful } from './toolful.ts'

const lookup = { name: 'lookup', description: 'Looks up.', input: { type: 'object' }, execute: () => 'found' }
const hide = { ...lookup, name: 'hide' }

const call = (name: string, server?: string) => JSON.stringify({ type: 'call', id: 'c1', name, server })
const ready = (...tools: string[]) => JSON.stringify({ type: 'hello', id: 'talk-1', tools })

type Row = [title: string, tools: NonNullable<TurnOptions['tools']>, lines: string[], said: string]

const excluded: Row[] = [
  ['a native call in mcp_only', { mode: 'mcp_only' }, [hello, call('shell')], 'The model called shell,'],
  ['one that nobody knows', { mode: 'mcp_only' }, [hello, call('dig')], 'The model called dig,'],
  [
    'a call that allow leaves out',
    { mode: 'mcp_only', allow: ['lookup'] },
    [hello, call('hide', 'bridge')],
    'The model called bridge/hide,',
  ],
  [
    'a call that deny names',
    { mode: 'hybrid', deny: ['shell'] },
    [hello, call('shell')],
    'The model called shell,',
  ],
  [
    'a server of nobody',
    { mode: 'hybrid' },
    [hello, call('lookup', 'other')],
    'The model called other/lookup,',
  ],
  [
    'an offer of a native tool',
    { mode: 'mcp_only' },
    [ready('mcp__bridge__lookup', 'shell')],
    'tiny-cli offers the model shell,',
  ],
  [
    'an offer of what allow leaves out',
    { mode: 'mcp_only', allow: ['lookup'] },
    [ready('mcp__bridge__hide')],
    'tiny-cli offers the model mcp__bridge__hide,',
  ],
]

describe('a tool outside of the policy ends the turn as policy_violation', () => {
  it.each(excluded)('%s', async (_title, tools, lines, said) => {
    // It would not end by itself.
    const turn = start(shell(echo(...lines), 'exec sleep 60'), {
      adapter: toolful,
      bridge: [lookup, hide],
      tools,
    })
    const { status, error, evidence } = await turn.completion
    expect({ status, code: error?.code, evidence }).toEqual({
      status: 'error',
      code: 'policy_violation',
      evidence: { by: 'host', detail: 'the tool policy' },
    })
    expect(error?.message).toContain(said)
  })

  it('and a server that is named like what every object has is a stranger like any other', async () => {
    const program = shell(echo(hello, call('x', 'constructor')), 'exec sleep 60')
    const turn = start(program, { adapter: toolful, bridge: [lookup], tools: { mode: 'mcp_only' } })
    expect((await turn.completion).error?.code).toBe('policy_violation')
  })

  it('in native mode with a list, too', async () => {
    const program = shell(echo(hello, call('shell')), 'exec sleep 60')
    const turn = start(program, { adapter: toolful, tools: { mode: 'native', allow: ['look'] } })
    expect((await turn.completion).error?.code).toBe('policy_violation')
  })

  it('in a replay that is told the policy, too', async () => {
    const stdout = [`${[hello, call('shell'), ...goodTurn.slice(1)].join('\n')}\n`]
    const tools = { mode: 'mcp_only' as const }
    const options = { tools, mcpServers: { shop: { type: 'http' as const, url: 'http://127.0.0.1:9/mcp' } } }
    const events = await collect(replay({ adapter: toolful, stdout, options }))
    expect(events.at(-1)).toMatchObject({ status: 'error', error: { code: 'policy_violation' } })
  })
})

const admitted: [string, TurnOptions['tools'], string[]][] = [
  [
    'the tools of the bridge',
    { mode: 'mcp_only' },
    [ready('mcp__bridge__lookup', 'mcp__bridge__hide'), call('lookup', 'bridge')],
  ],
  [
    'what the CLI cannot take away, and which does nothing',
    { mode: 'mcp_only' },
    [ready('ponder', 'mcp__bridge__lookup', 'mcp__bridge__hide'), call('ponder')],
  ],
  [
    "the CLI's own beside them",
    undefined,
    [ready('shell', 'mcp__bridge__lookup', 'mcp__bridge__hide'), call('shell')],
  ],
]

describe('what the policy admits runs', () => {
  test.each(admitted)('%s', async (_title, tools, lines) => {
    const result = JSON.stringify({ type: 'result', id: 'c1', text: 'ok' })
    const program = shell(echo(...lines, result, bye))
    const turn = start(program, { adapter: toolful, bridge: [lookup, hide], ...(tools && { tools }) })
    expect(await turn.completion).toMatchObject({ status: 'success' })
  })
})

describe('a server that answered before the start', () => {
  const said = (status: string) => JSON.stringify({ type: 'hello', id: 'talk-1', servers: [status] })

  it.each(['failed', 'needs-auth', 'disabled'])('and is %s for the CLI ends the turn', async (status) => {
    const program = shell(echo(said(status)), 'exec sleep 60')
    const turn = start(program, { adapter: toolful, bridge: [lookup] })
    expect((await turn.completion).error).toMatchObject({
      code: 'mcp_unavailable',
      message: `The MCP server bridge answered before the start, but tiny-cli has not reached it: ${status}.`,
    })
  })

  it('and is connected does not', async () => {
    const turn = start(shell(echo(said('connected'), bye)), { adapter: toolful, bridge: [lookup] })
    expect(await turn.completion).toMatchObject({ status: 'success' })
  })
})

test('a tool that was listed before the start and is not offered then ends the turn: the model would go without', async () => {
  const program = shell(echo(ready('mcp__bridge__lookup')), 'exec sleep 60')
  const turn = start(program, { adapter: toolful, bridge: [lookup, hide], tools: { mode: 'mcp_only' } })
  expect((await turn.completion).error).toMatchObject({
    code: 'mcp_unavailable',
    message: 'The tool bridge/hide was listed before the start, but tiny-cli does not offer it to the model.',
  })
})

test('a list of ten thousand tools is judged without holding up the host', () => {
  const tools = Array.from({ length: 10_000 }, (_, index) => `haul_${index}`)
  const server = { type: 'http' as const, url: 'http://127.0.0.1:9/mcp', tools, hidden: [] }
  const violations: unknown[] = []
  const watch = watchTools(
    {
      adapter: toolful,
      policy: { mode: 'mcp_only', deny: [], strict: false },
      servers: { quay: server },
      projectServers: false,
    },
    (stop) => violations.push(stop),
  )
  const offered = tools.map((tool) => `mcp__quay__${tool}`)
  const start = performance.now()
  watch?.({ type: 'session', sessionId: 'talk-1', transport: 'structured', origin: 'new', tools: offered })
  expect(violations).toEqual([])
  // A search through the list for each of them takes about half a minute.
  expect(performance.now() - start).toBeLessThan(5_000)
})
