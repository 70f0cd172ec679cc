import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { completed, coxswain, failed, fakeCodex, good, said, started, turnStarted } from './terminal.ts'

describe('run shows a turn', () => {
  it('off a terminal: the answer on stdout, the rest on stderr, no colours', async () => {
    const binary = await fakeCodex({ print: good })
    const { code, out, err } = await coxswain(['run', 'codex-cli', 'look', ...binary])
    expect(out).toBe('All well.\n')
    expect(code).toBe(0)
    expect(err).toContain('codex-cli · 0.171.0 · new session 019fee32')
    expect(err).toContain('ls\n✗')
    expect(err).toContain('failed (exit 2): no such file')
    expect(err).toMatch(/success · \d+\.\d s · 20 tokens in, 5 out\n$/)
    expect(err).not.toContain('\u001b[')
  })

  it('on a terminal: everything on stdout, in colours unless NO_COLOR is set', async () => {
    const binary = await fakeCodex({ print: good })
    const coloured = await coxswain(['run', 'codex', 'look', ...binary], { isTerminal: true })
    expect(coloured.out).toContain('All well.\n')
    expect(coloured.out).toContain('\u001b[31m✗\u001b[39m')
    expect(coloured.err).toBe('')
    const plain = await coxswain(['run', 'codex', 'look', ...binary], {
      isTerminal: true,
      environment: { NO_COLOR: '1', FORCE_COLOR: '1' },
    })
    expect(plain.out).not.toContain('\u001b[')
  })

  it('with --output-schema: the structured output in the completion, and a file that is none is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'coxswain-schema-'))
    const file = join(folder, 'shape.json')
    const shape = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    await writeFile(file, JSON.stringify(shape))
    const binary = await fakeCodex({ print: [started, turnStarted, said('{"n":3}'), completed] })
    const { code, out } = await coxswain(['run', 'codex', 'go', '--json', '--output-schema', file, ...binary])
    expect(JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ structuredOutput: { n: 3 } })
    expect(code).toBe(0)
    await writeFile(file, 'shape')
    const refused = await coxswain(['run', 'codex', 'go', '--output-schema', file, ...binary])
    expect(refused.err).toContain(`--output-schema ${file} is no JSON.`)
    expect(refused.code).toBe(2)
    await rm(folder, { recursive: true })
  })

  it('with --json: the events alone, one per line', async () => {
    const binary = await fakeCodex({ print: good })
    const { code, out, err } = await coxswain(['run', 'codex', 'look', '--json', ...binary])
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index))
    expect(events.at(-1)).toMatchObject({ type: 'completion', status: 'success', text: 'All well.' })
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  it('a text that would steer the terminal is made harmless', async () => {
    const binary = await fakeCodex({ print: [started, turnStarted, said('a\u001b[2Jb'), completed] })
    const { out } = await coxswain(['run', 'codex', 'look', ...binary], { isTerminal: true })
    expect(out).toContain('a\ufffd[2Jb')
  })

  it.each([false, true])('nor does anything else that a CLI says (terminal: %s)', async (isTerminal) => {
    const binary = await fakeCodex({
      print: [
        { ...started, thread_id: 'talk\u001b]0;x\u0007' },
        turnStarted,
        {
          type: 'item.completed',
          item: {
            id: 'i',
            type: 'mcp_tool_call',
            server: 's\u001b[1A',
            tool: 't\u001b[2J',
            status: 'failed',
          },
        },
        failed('no\u001b[3J'),
      ],
    })
    const { out, err } = await coxswain(['run', 'codex', 'look', '-v', ...binary], {
      isTerminal,
      environment: { NO_COLOR: '1' },
    })
    const shown = `${out}${err}`
    expect(shown).toContain('talk\ufffd]0;x')
    expect(shown).toContain('s\ufffd[1A/t\ufffd[2J')
    expect(shown).toContain('no\ufffd[3J')
    expect(shown).not.toContain('\u001b')
  })
})

describe('the prompt', () => {
  const rows: [string, string[], string | undefined, string][] = [
    ['on the command line', ['look'], undefined, 'look'],
    ['on stdin', [], 'look\n', 'look\n'],
    ['on stdin, said so', ['-'], 'look', 'look'],
    ['that begins with a dash', ['--', '--help'], undefined, '--help'],
  ]
  it.each(rows)('%s reaches the CLI as it is', async (_title, words, stdin, expected) => {
    const binary = await fakeCodex(
      { waitFor: 'stdin-end' },
      { tell: ['stdin'] },
      { print: [started, completed] },
    )
    const { out } = await coxswain(['run', 'codex', '--json', '--raw', ...binary, ...words], {
      ...(stdin !== undefined && { stdin }),
    })
    const told = out.split('\n').find((line) => line.includes('"fake_cli"'))
    expect(JSON.parse(told ?? '{}').raw.stdin).toBe(expected)
  })
})

describe('the exit code tells how the turn ended', () => {
  it('1: with an error, which is said with what to do', async () => {
    const binary = await fakeCodex({ print: [started, turnStarted, failed('401 Unauthorized')] }, { exit: 1 })
    const { code, out, err } = await coxswain(['run', 'codex', 'look', ...binary])
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err).toContain('error auth: 401 Unauthorized')
  })

  it('1: a CLI that is not there', async () => {
    const { code, err } = await coxswain(['run', 'codex', 'look', '--binary', '/nowhere/codex'])
    expect(code).toBe(1)
    expect(err).toContain('error not_installed: The binary /nowhere/codex does not exist.')
    const recording = await coxswain(['record', 'codex', 'case', 'look', '--binary', '/nowhere/codex'])
    expect(recording.code).toBe(1)
  })

  it('2: an option that only the machine can tell to be wrong', async () => {
    const binary = await fakeCodex({ print: good })
    for (const command of [
      ['run', 'codex', 'look'],
      ['record', 'codex', 'case', 'look'],
    ]) {
      const { code, err } = await coxswain([...command, '--cwd', '/nowhere', ...binary])
      expect(err).toContain('The working directory /nowhere does not exist.')
      expect(code).toBe(2)
    }
  })

  it('3: on Ctrl-C, and nothing is left running', async () => {
    const binary = await fakeCodex({ tell: ['pid'] }, { print: [started, said('Wait')] }, { linger: true })
    let pid = 0
    let stopped = false
    const { code, out } = await coxswain(['run', 'codex', 'look', '--json', '--raw', ...binary], {
      onOut: (sofar, { interrupt }) => {
        pid = Number(/"pid":(\d+)/.exec(sofar)?.[1])
        if (stopped || !sofar.includes('"Wait"')) return
        stopped = true
        interrupt()
      },
    })
    expect(code).toBe(3)
    expect(out).toContain('"status":"interrupted"')
    expect(out).toContain('The turn was stopped: Ctrl-C (abort signal).')
    expect(() => process.kill(pid, 0)).toThrow()
  })

  it('3: when nobody reads stdout any more', async () => {
    const binary = await fakeCodex({ print: [started, said('Wait')] }, { linger: true })
    const { code } = await coxswain(['run', 'codex', 'look', '--json', ...binary], {
      onOut: (_sofar, { close }) => close(),
    })
    expect(code).toBe(3)
  })

  it('1: when stdout is a file on a full disk', async () => {
    const binary = await fakeCodex({ print: [started, said('Wait')] }, { linger: true })
    const { code, err } = await coxswain(['run', 'codex', 'look', '--json', ...binary], {
      onOut: (_sofar, { close }) => close('ENOSPC'),
    })
    expect(code).toBe(1)
    expect(err).toContain('The output could not be written: write ENOSPC.')
  })

  it('4: when the time is up', async () => {
    const binary = await fakeCodex({ print: started }, { linger: true })
    const { code, err } = await coxswain(['run', 'codex', 'look', '--timeout', '0.5', ...binary])
    expect(code).toBe(4)
    expect(err).toContain('\ntimeout: The turn was ended')
    expect(err).toContain('Raise --timeout if')
  })

  it('130: a second Ctrl-C does not wait', async () => {
    const binary = await fakeCodex({ print: [started, said('Wait')] }, { linger: true })
    const { code } = await coxswain(['run', 'codex', 'look', '--json', ...binary], {
      onOut: (sofar, { interrupt }) => {
        if (!sofar.includes('"Wait"') || sofar.includes('"completion"')) return
        interrupt()
        interrupt()
      },
    })
    expect(code).toBe(130)
  })
})
