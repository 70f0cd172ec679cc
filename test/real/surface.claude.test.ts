import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { claudeCode } from '../../src/adapters/claude-code.ts'
import { startToolBridge } from '../../src/bridge.ts'
import { type Adapter, openSession, startTurn, type TurnOptions } from '../../src/index.ts'
import type { Reply } from '../../src/testing/scenario.ts'
import { clis, ends, liveClis, newest, offers, open, steps } from './claude-surface.ts'
import { fourteenTools, stdioTools } from './harbour.ts'
import type { Workbench } from './workbench.ts'

const fourteen = Array.from({ length: 14 }, (_, index) => `mcp__bridge__tool_${index + 1}`).sort()
const onlyTheirs = { mode: 'mcp_only' } as const

/** claude, but with nobody who watches what it calls: what holds is claude's own. */
const unwatched: Adapter = {
  ...claudeCode,
  nativeTools: (claudeCode.nativeTools ?? []).map((tool) => ({
    ...tool,
    residual: 'Not watched in this test.',
  })),
}

/** What the model does that has the names of claude's own tools by heart, old ones and second ones included. */
function breakOut(cwd: string): Reply[] {
  const agent = { description: 'x', prompt: 'Say hello.', subagent_type: 'general-purpose' }
  return [
    {
      toolCalls: [
        { name: 'Bash', input: { command: 'touch by-bash' } },
        { name: 'Write', input: { file_path: join(cwd, 'by-write'), content: 'x' } },
        { name: 'Read', input: { file_path: join(cwd, 'secret') } },
        { name: 'Task', input: agent },
        { name: 'Agent', input: agent },
        { name: 'Workflow', input: { script: 'touch by-workflow' } },
        { name: 'CronCreate', input: { cron: '* * * * *', prompt: 'Go.' } },
        { name: 'mcp__bridge__tool_3', input: { word: 'heave' } },
      ],
    },
    { text: 'I tried.' },
  ]
}

async function harbourBench(cli = newest) {
  const bench = await open(cli, () => breakOut(bench.cwd))
  await writeFile(join(bench.cwd, 'secret'), 'gold in the hold')
  return bench
}

function nothingWasDone(bench: Workbench) {
  const made = ['by-bash', 'by-write', 'by-workflow'].filter((name) => existsSync(join(bench.cwd, name)))
  expect(made).toEqual([])
  expect(JSON.stringify(bench.steps().map(({ body }) => body))).not.toContain('gold in the hold')
  expect(bench.steps().flatMap(({ userTexts }) => userTexts)).not.toContain('Say hello.')
}

const whatBecameOfThem = [
  'bridge/tool_3 completed',
  ...['Agent', 'Bash', 'CronCreate', 'Read', 'Task', 'Workflow', 'Write'].map(
    (name) => `claude/${name} failed`,
  ),
]

describe("'mcp_only' with 14 tools", () => {
  test.each(clis)('offers the model of %s these 14, and calls of others do nothing', async (_, cli) => {
    const bench = await harbourBench(cli)
    const { tools, calls } = fourteenTools()
    const { events, completion, breaches } = await bench.turn({
      adapter: unwatched,
      bridge: tools,
      tools: onlyTheirs,
    })
    expect(breaches).toEqual([])
    expect([completion.status, completion.text]).toEqual(['success', 'I tried.'])
    expect(offers(bench)).toEqual([fourteen, fourteen])
    expect(calls).toEqual([{ name: 'tool_3', input: { word: 'heave' } }])
    expect(ends(events).sort()).toEqual(whatBecameOfThem)
    const session = events.find((event) => event.type === 'session')
    expect(session).toMatchObject({ mcpServers: [{ name: 'bridge', status: 'connected' }] })
    expect(session?.type === 'session' && [...(session.tools ?? [])].sort()).toEqual(fourteen)
    nothingWasDone(bench)
  })

  test.each(liveClis)('does so in every turn of a session with %s', async (_, cli) => {
    const bench = await harbourBench(cli)
    const { tools, calls } = fourteenTools()
    const { prompt, ...options } = bench.options({ adapter: unwatched, bridge: tools, tools: onlyTheirs })
    const session = await openSession({ ...options, approvals: 'deny' })
    onTestFinished(() => session.close())
    for (const _turn of [1, 2]) {
      expect(await session.send(prompt).completion).toMatchObject({ status: 'success' })
    }
    expect(new Set(offers(bench).map((names) => names.join()))).toEqual(new Set([fourteen.join()]))
    expect(calls).toHaveLength(1)
    nothingWasDone(bench)
  })

  test('ends the turn of a model that calls another', async () => {
    const bench = await harbourBench()
    const { completion } = await bench.turn({ bridge: fourteenTools().tools, tools: onlyTheirs })
    expect(completion).toMatchObject({ status: 'error', error: { code: 'policy_violation' } })
    nothingWasDone(bench)
  })

  test("leaves a trusted project's servers out, and lets an answer have its shape", async () => {
    const bench = await open(newest, () => [
      { toolCalls: [{ name: 'StructuredOutput', input: { knots: 7 } }] },
    ])
    const [command, program] = stdioTools
    const own = { mcpServers: { own: { command, args: [program, 'plunder'] } } }
    await writeFile(join(bench.cwd, '.mcp.json'), JSON.stringify(own))
    const options = bench.options({ bridge: fourteenTools().tools, tools: onlyTheirs })
    const outputSchema = {
      type: 'object',
      properties: { knots: { type: 'number' } },
      required: ['knots'],
    }
    const { completion } = startTurn({ ...options, projectConfiguration: 'trust', outputSchema })
    expect(await completion).toMatchObject({ status: 'success', structuredOutput: { knots: 7 } })
    expect(offers(bench)[0]).toEqual(['StructuredOutput', ...fourteen].sort())
  })
})

describe.each(clis)('claude %s', (version, cli) => {
  const asksOrWaits =
    'AskUserQuestion BashOutput CronCreate CronDelete CronList EnterPlanMode ExitPlanMode KillShell Monitor ScheduleWakeup TaskOutput TaskStop Workflow'.split(
      ' ',
    )

  test('offers nothing that the list does not know, and unasked nothing that asks or waits', async () => {
    const seen = new Set<string>()
    const settings: Partial<TurnOptions>[] =
      version === '1.0.124'
        ? [{}, { backgroundTasks: 'wait' }]
        : [{}, { transport: 'live' }, { approvals: () => 'deny', backgroundTasks: 'wait' }]
    // A model that claude does not know, and the newest that it does: both of another family than its default one.
    if (cli === newest) settings.push({ model: 'mock-model' }, { model: 'claude-mythos-5-2' })
    for (const options of settings) {
      const bench = await open(cli, () => [{ text: 'Aye.' }])
      const { events, completion } = await bench.turn(options)
      expect(completion.status).toBe('success')
      const session = events.find((event) => event.type === 'session')
      const named = [...offers(bench).flat(), ...(session?.type === 'session' ? (session.tools ?? []) : [])]
      for (const name of named) seen.add(name)
      if (options.backgroundTasks) continue
      expect(named.filter((name) => asksOrWaits.includes(name))).toEqual([])
    }
    const known = (claudeCode.nativeTools ?? []).map(({ name }) => name)
    const unknown = [...seen].filter((name) => !known.includes(name))
    expect(unknown, 'Give each a kind in src/adapters/claude-code/native-tools.ts').toEqual([])
    expect([...seen]).toEqual(expect.arrayContaining(['Bash', 'Task', 'WebFetch', 'Write']))
  })
})

describe.each(liveClis)('claude %s', (_version, cli) => {
  test.each(['approve-all', 'deny'] as const)(
    'has in the approvals mode %s the shell that the capability table says',
    async (approvals) => {
      const { tools, calls } = fourteenTools()
      const bridge = await startToolBridge({ tools: tools.slice(0, 1) })
      onTestFinished(() => bridge.close())
      const session = bridge.openSession()
      const names = ['MCP_AUTH', 'SECRET_HARBOUR', 'UNRELATED_API_KEY'].map((name) => `\${${name}:+${name}}`)
      const call = `curl -s -H "$MCP_AUTH" -d '{"word":"ahoy"}' "$MCP_CUSTOM/tool_1"`
      const bench = await open(cli, () => [
        { toolCalls: [{ name: 'shell', input: { command: `echo "${names.join(' ')}."; ${call}` } }] },
        { text: 'Aye.' },
      ])
      const { completion } = await bench.turn({
        approvals,
        scope: { ...session.variables, SECRET_HARBOUR: 'deep water' },
        environment: { ...bench.environment, UNRELATED_API_KEY: 'not granted' },
      })
      expect(completion.status).toBe('success')
      const said = steps(bench)[1]?.toolResults.join() ?? ''
      if (approvals === 'deny') return expect(calls).toEqual([])
      expect(said).toMatch(/MCP_AUTH SECRET_HARBOUR \.\s.*done: ahoy/)
      expect(calls).toEqual([{ name: 'tool_1', input: { word: 'ahoy' } }])
    },
  )
})
