import { describe, expect, test } from 'vitest'
import { coxswain } from '../cli/terminal.ts'
import { realCli } from './clis.ts'

describe.each(['claude-2.1', 'codex-0.171', 'pi-1.6'])('%s', (alias) => {
  test('passes on both transports: it streams, steers, stops and answers, and its second turn needs no new process', {
    timeout: 200_000,
  }, async () => {
    const { adapter, version, binary } = realCli(alias)
    const binaries = binary.map((word) => `--binary=${adapter}=${word}`)
    const { code, out } = await coxswain(['matrix', `--only=${adapter}`, '--rounds=5', '--json', ...binaries])
    const { cells } = JSON.parse(out)
    const common = {
      adapter,
      cliVersion: version,
      model: 'loopback',
      verdict: 'pass',
      reasons: [],
      mcpTool: 'works',
    }
    expect(cells).toMatchObject([
      { ...common, transport: 'structured', toolStarts: 1, toolEnds: 1 },
      {
        ...common,
        transport: 'live',
        delivery: 'fragments',
        toolStarts: 1,
        toolEnds: 1,
        steer: 'delivered',
        interactionsAsked: 2,
        interactionsAnswered: 2,
      },
    ])
    const [structured, live] = cells
    expect(structured.delivery).toBe(adapter === 'codex-cli' ? 'one block' : 'fragments')
    expect(live.contentDeltas).toBeGreaterThan(20)
    expect(live.thinkingDeltas).toBeGreaterThan(5)
    // Medians of the same minutes, so that a loaded machine slows both: claude 9 times, pi 26 times on an idle one.
    const aim = adapter === 'codex-cli' ? 2 : 5
    expect(live.newProcessMs / live.secondTurnMs).toBeGreaterThan(aim)
    expect(code).toBe(0)
  })
})
