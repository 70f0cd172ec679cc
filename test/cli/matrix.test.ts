import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { coxswain, type TerminalOptions } from './terminal.ts'

/** No CLI at all is on it, but what a tool call of the stand-in needs is. */
const bare = { PATH: '/usr/bin:/bin' }

/** A codex of its one-shot protocol that gets a command in its prompt and does with it what `deed` says. */
function codexThat(deed: 'runs it' | 'only says so' | 'fails' | 'runs another'): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-matrix-fake-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'codex.mjs')
  writeFileSync(
    file,
    `import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
if (process.argv.includes('--version')) {
  console.log('codex-cli 0.171.0')
  process.exit()
}
let prompt = ''
for await (const chunk of process.stdin) prompt += chunk
const command = /once: (.*)/.exec(prompt)?.[1]
if (command === undefined) await note(/the content "(.*?)"/.exec(prompt)[1])
async function note(content) {
  const config = readFileSync(process.env.CODEX_HOME + '/config.toml', 'utf8')
  const url = /^url = "(.*?)"/m.exec(config)[1]
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  headers.authorization = process.env[/authorization"? = "(.*?)"/i.exec(config)[1]]
  const ask = async (method, params, id) => {
    const body = JSON.stringify({ jsonrpc: '2.0', method, params, id })
    const response = await fetch(url, { method: 'POST', headers, body })
    headers['mcp-session-id'] ??= response.headers.get('mcp-session-id') ?? undefined
    await response.text()
  }
  const clientInfo = { name: 'fake', version: '1' }
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }, 1)
  await ask('notifications/initialized')
  await ask('tools/call', { name: 'write_note', arguments: { content } }, 2)
}
const deed = ${JSON.stringify(deed)}
const item =
  command === undefined
    ? { id: 'item_0', type: 'mcp_tool_call', server: 'bridge', tool: 'write_note', arguments: {} }
    : { id: 'item_0', type: 'command_execution', command }
const print = (record) => console.log(JSON.stringify(record))
print({ type: 'thread.started', thread_id: '019fee32-d4af-78d3-9ec9-0e59b10baf60' })
print({ type: 'turn.started' })
print({ type: 'item.started', item: { ...item, status: 'in_progress' } })
if (deed === 'runs it' && command) execSync(command)
if (deed === 'runs another') execSync(command.replace(/printf %s \\S+/, 'printf %s something'))
print({ type: 'item.completed', item: { ...item, aggregated_output: 'done', exit_code: 0, status: 'completed' } })
print({ type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text: 'I wrote the file.' } })
if (deed === 'fails') print({ type: 'turn.failed', error: { message: 'stream disconnected' } })
else print({ type: 'turn.completed', usage: { input_tokens: 2, cached_input_tokens: 0, output_tokens: 1 } })
`,
  )
  return [process.execPath, file]
}

/** The one-shot codex, without a model of ours that it would not ask. */
async function matrixOf(
  binary: readonly string[],
  more: readonly string[] = [],
  options: TerminalOptions = {},
) {
  const ran = await coxswain(
    [
      'matrix',
      '--only=codex',
      '--transport=structured',
      '--account',
      ...binary.map((word) => `--binary=codex=${word}`),
      ...more,
    ],
    options,
  )
  return { ...ran, lines: ran.out.trimEnd().split('\n') }
}

/** The cells of a line of a table. */
const cells = (line = '') => line.split(/ {2,}/)

it('a CLI that really wrote the file passes, and it is told that its answer came in one block', async () => {
  const { code, lines, err } = await matrixOf(codexThat('runs it'))
  expect(lines[0]).toBe('codex-cli structured: pass')
  expect(cells(lines[2])).toEqual([
    'adapter',
    'transport',
    'CLI version',
    'content deltas',
    'thinking deltas',
    'tool starts',
    'tool ends',
    'first signal (ms)',
    'longest silence (ms)',
    'delivered in',
    'MCP tool',
    'verdict',
  ])
  const [firstSignal, silence, ...rest] = cells(lines[3]).slice(7)
  expect(cells(lines[3]).slice(0, 7)).toEqual(['codex-cli', 'structured', '0.171.0', '0', '0', '1', '1'])
  expect(Number(firstSignal)).toBeGreaterThan(0)
  expect(Number(silence)).toBeGreaterThanOrEqual(0)
  expect(rest).toEqual(['one block', 'works', 'pass'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
})

it.each([
  ['only says so', 'codex-cli structured, fail: the file was not written, whatever the CLI said'],
  ['runs another', 'codex-cli structured, fail: the file holds something else'],
  ['fails', 'codex-cli structured, fail: the turn ended with error/network: stream disconnected'],
] as const)('a CLI that %s does not pass, whatever its answer says', async (deed, reason) => {
  const { code, lines } = await matrixOf(codexThat(deed))
  expect(lines[0]).toBe('codex-cli structured: fail')
  expect(cells(lines[3]).at(-1)).toBe('fail')
  expect(lines).toContain(reason)
  expect(code).toBe(1)
})

it('a CLI that did not ask the model that it was given does not pass', async () => {
  const binary = codexThat('runs it').map((word) => `--binary=codex=${word}`)
  const { code, out } = await coxswain(['matrix', '--only=codex', '--transport=structured', ...binary])
  expect(out).toContain('codex-cli structured, fail: the model never got to read what the shell said')
  expect(out).toContain('codex-cli structured, fail: the answer is not what the model said')
  expect(code).toBe(1)
})

it('a missing CLI was not run, says why, and where nothing ran nothing passed', async () => {
  const { code, lines } = await matrixOf(['/nowhere/codex'])
  expect(lines[0]).toBe('codex-cli structured: not run')
  expect(cells(lines[3])).toEqual(['codex-cli', 'structured', ...Array(9).fill('-'), 'not run'])
  expect(lines.at(-1)).toMatch(/^codex-cli structured, not run: not_installed: .*\/nowhere\/codex/)
  expect(code).toBe(1)
})

it("Cursor's stand-in never goes by the name of Cursor's CLI, which was not run; live, it listens", {
  timeout: 60_000,
}, async () => {
  const { code, out, err } = await coxswain(['matrix', '--only', 'cursor', '--rounds', '1', '--json'], {
    environment: bare,
  })
  const { machine, cells } = JSON.parse(out)
  expect(machine).toMatchObject({ platform: process.platform })
  expect(cells).toMatchObject([
    {
      transport: 'structured',
      model: 'loopback',
      verdict: 'not run',
      reasons: [expect.stringContaining('not_installed')],
    },
    { transport: 'structured', model: 'stand-in', verdict: 'pass', reasons: [], delivery: 'fragments' },
    {
      transport: 'live',
      model: 'loopback',
      verdict: 'not run',
      reasons: [expect.stringContaining('not_installed')],
    },
    {
      transport: 'live',
      model: 'stand-in',
      verdict: 'pass',
      reasons: [],
      steer: 'queued',
      interruptTextMs: expect.any(Number),
      interruptToolMs: expect.any(Number),
      newProcessMs: expect.any(Number),
      secondTurnMs: expect.any(Number),
      interactionsAsked: 2,
      interactionsAnswered: 2,
    },
  ])
  expect(err).toContain('cursor-cli (stand-in) live: pass\n')
  expect(code).toBe(0)
})

it('on a terminal a verdict has its colour, and none with NO_COLOR', async () => {
  const { out } = await matrixOf(['/nowhere/codex'], [], { isTerminal: true })
  expect(out).toContain('\u001b[33mnot run\u001b[39m')
  expect(out).toContain('first signal')
  const without = await matrixOf(['/nowhere/codex'], [], {
    isTerminal: true,
    environment: { NO_COLOR: '1' },
  })
  expect(without.out).not.toContain('\u001b[')
})

it('as markdown it is tables and a list of reasons, and nothing else', async () => {
  const { out, err } = await matrixOf(['/nowhere/codex'], ['--markdown'])
  const lines = out.trimEnd().split('\n')
  expect(lines[1]).toBe(`|${' --- |'.repeat(12)}`)
  expect(lines[2]).toBe(`| codex-cli | structured |${' - |'.repeat(9)} not run |`)
  expect(lines.at(-1)).toMatch(/^- codex-cli structured, not run: not_installed: /)
  expect(err).toBe('codex-cli structured: not run\n')
})

it.each([
  [['--transport=tmux'], 'There is no transport "tmux" to measure.'],
  [['--rounds=0'], '--rounds 0 is no number from 1 to 999.'],
  [['--only=codecs'], 'There is no adapter "codecs".'],
  [['codex'], 'matrix takes no "codex".'],
])('matrix %j is a fault of the command line, and nothing starts', async (argv, message) => {
  const { code, out, err } = await coxswain(['matrix', ...argv])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(message)
})
