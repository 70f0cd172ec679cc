import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { cursorCli } from '../../../src/adapters/cursor-cli.ts'
import { type CursorStandInOptions, cursorStandIn } from '../../../src/testing/cursor-stand-in.ts'
import { scenarios, toolTurnAnswer } from '../../../src/testing/scenarios.ts'
import { launchContext, launchOptions } from './launching.ts'
import { completionOf, noticeCodes, replayed, toolStory } from './turn.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'cursor-stand-in-')))
afterAll(() => rmSync(home, { recursive: true }))

/** Starts it as the runner would, without the runner. */
async function turn(standIn: CursorStandInOptions = {}, options: Parameters<typeof launchOptions>[0] = {}) {
  const launch = cursorCli.structured.launch(
    launchOptions({ approvals: 'approve-all', ...options }),
    launchContext({ version: '2026.09.15-standin', home }),
  )
  const [binary, ...first] = cursorStandIn({ paceMs: 0, ...standIn })
  const { stdout, stderr, status, signal } = spawnSync(binary, [...first, ...launch.arguments], {
    input: launch.stdin,
    cwd: home,
    env: { PATH: process.env.PATH, ...launch.environment, CURSOR_CONFIG_DIR: home },
  })
  return replayed(stdout, { exitCode: status, signal, stderr: stderr.toString() }, optionsOfWire(options))
}

function optionsOfWire({ resume }: { resume?: string }) {
  return resume === undefined ? {} : { resume }
}

describe('the stand-in', () => {
  test('plays the tool turn: thinking, text in fragments, two real shell calls, the table', async () => {
    const events = await turn()
    expect(completionOf(events)).toMatchObject({ status: 'success', text: toolTurnAnswer })
    expect(toolStory(events)).toEqual([
      'start shell',
      'input shell',
      'end shell completed',
      'start shell',
      'input shell',
      'end shell completed',
    ])
    const outputs = events.flatMap((event) =>
      event.type === 'tool' && event.phase === 'end' ? [event.output] : [],
    )
    expect(outputs).toEqual(['hello from the shell\n', 'caf\u00e9 \u{1f6a3}\n'])
    const fragments = events.filter((event) => event.type === 'delta')
    expect(fragments.length).toBeGreaterThan(20)
    expect(fragments.every((event) => event.type === 'delta' && event.contentDelta)).toBe(true)
    expect(events.filter((event) => event.type === 'thinking').length).toBeGreaterThan(10)
    expect(completionOf(events).usage?.inputTokens).toBe(300)
  })

  test('refuses shell calls that nobody allowed, and still ends well', async () => {
    const events = await turn({}, { approvals: 'deny' })
    expect(toolStory(events).filter((line) => line.startsWith('end'))).toEqual([
      'end shell rejected',
      'end shell rejected',
    ])
    expect(completionOf(events).status).toBe('success')
  })

  test.each([
    ['auth', 'auth', 1],
    ['usage-limit', 'usage_limit', 1],
    ['cut', 'overloaded', 1],
  ] as const)('fails with %s as the CLI is known to', async (failure, code, exitCode) => {
    const completion = completionOf(await turn({ failure }))
    expect([completion.status, completion.error?.code, completion.exitCode]).toEqual([
      'error',
      code,
      exitCode,
    ])
  })

  test('says again what a retry cut, and the cut part is retracted', async () => {
    const events = await turn({ failure: 'retry', replies: scenarios.text })
    expect(completionOf(events)).toMatchObject({
      status: 'success',
      text: 'The tide turns at six, and the boat leaves with it.',
    })
    expect(events.filter((event) => event.type === 'message' && event.status === 'retracted')).toHaveLength(1)
    expect(noticeCodes(events)).toEqual(['reconnecting', 'retry', 'retry', 'reconnected'])
  })

  test.each([
    ['no-such-model', 'model_not_found'],
    ['skiff-1-high', undefined],
  ])('knows its models: %s', async (model, code) => {
    expect(completionOf(await turn({ replies: scenarios.text }, { model })).error?.code).toBe(code)
  })

  test('keeps its chats where the adapter looks for them, and resumes under the same id', async () => {
    const first = completionOf(await turn({ replies: scenarios.text }))
    const sessionId = first.sessionId ?? ''
    const folder = cursorCli.home.conversation?.(sessionId, home) ?? ''
    expect(readdirSync(join(home, folder))).toEqual(['store.db'])
    const second = completionOf(await turn({ replies: scenarios.text }, { resume: sessionId }))
    expect(second.sessionId).toBe(sessionId)
    expect(second.usage?.cachedInputTokens).toBe(1000)
  })

  test('prints a version of the tested range', () => {
    const [binary, ...first] = cursorStandIn()
    const { stdout } = spawnSync(binary, [...first, '--version'])
    expect(stdout.toString()).toBe('2026.09.15-standin\n')
  })

  test.each([
    ['an unknown flag', ['--harness'], "error: unknown option '--harness'\n"],
    ['an empty prompt', [], 'Error: No prompt provided for print mode\n'],
  ])('ends with %s', (_, more, stderr) => {
    const [binary, ...first] = cursorStandIn()
    const run = spawnSync(
      binary,
      [...first, '--print', '--output-format', 'stream-json', '--trust', ...more],
      { input: '', env: { CURSOR_CONFIG_DIR: home } },
    )
    expect([run.status, run.stderr.toString()]).toEqual([1, stderr])
  })
})
