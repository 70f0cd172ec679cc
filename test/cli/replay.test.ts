import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { adapters } from '../../src/index.ts'
import { TinyWire } from '../tiny-cli.ts'
import { completed, coxswain, failed, lines, said, shellCall, started, turnStarted } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'coxswain-replay-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(path: string, content: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

const good = lines(started, turnStarted, ...shellCall, said('All well.'), completed)

beforeAll(() => {
  write('codex/0.171.0/good.jsonl', good)
  write('codex/0.171.0/failed.jsonl', lines(started, turnStarted, failed('429 Too Many Requests')))
  write('codex/0.171.0/failed.exit.json', '{"exitCode":1,"signal":null}')
  write('codex/0.171.0/killed.ndjson', lines(started, turnStarted, said('Half a')))
  write('codex/0.171.0/killed.exit', 'SIGKILL\n')
  write('codex/0.171.0/killed.stderr', 'last words\n')
  write('codex/0.171.0/app-server.ndjson', '{"dir":"out","msg":{"id":1,"method":"initialize"}}\n')
  write('claude/2.1/other.jsonl', '{"type":"system","subtype":"init"}\n')
  write('notes.txt', 'nothing to replay')
  write('unrelated.jsonl', '{"level":"info","msg":"a log"}\n')
})

describe('replay', () => {
  it('shows the answer of a recording', async () => {
    const { code, out } = await coxswain(['replay', 'codex', join(folder, 'codex/0.171.0/good.jsonl')])
    expect({ code, out }).toEqual({ code: 0, out: 'All well.\n' })
  })

  it('prints its events with --json, with the exit and the stderr that lie beside it', async () => {
    const path = join(folder, 'codex/0.171.0/killed.ndjson')
    const { code, out } = await coxswain(['replay', 'codex', path, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'completion',
      status: 'error',
      error: { code: 'crashed' },
      exitCode: null,
      signal: 'SIGKILL',
      stderrTail: 'last words\n',
    })
  })

  it('reads a recording from stdin', async () => {
    const { out } = await coxswain(['replay', 'codex', '-'], { stdin: good })
    expect(out).toBe('All well.\n')
  })

  it('replays what a folder holds of this CLI on this transport, and says which is which', async () => {
    const { code, out, err } = await coxswain(['replay', 'codex', '--verbose', folder])
    expect({ code, out }).toEqual({ code: 0, out: 'All well.\nHalf a\n' })
    const about = err.split('\n').filter((line) => line.includes(folder))
    expect(about.map((line) => line.replaceAll(`${folder}/`, ''))).toEqual([
      'skipped claude/2.1/other.jsonl: of claude-code',
      'skipped codex/0.171.0/app-server.ndjson: a two-way session: --transport live replays it',
      'codex/0.171.0/failed.jsonl',
      'codex/0.171.0/good.jsonl',
      'codex/0.171.0/killed.ndjson',
      'skipped unrelated.jsonl: no record in it that codex-cli knows',
    ])
    expect(err).not.toMatch(/^error$/m)
  })

  it('says that a two-way recording cannot be replayed', async () => {
    const path = join(folder, 'codex/0.171.0/app-server.ndjson')
    const { code, err } = await coxswain(['replay', 'codex', path])
    expect(code).toBe(2)
    expect(err).toContain('two-way session')
  })
})

describe('replay --check', () => {
  it('checks nothing in a file that is no recording, says so, and ends with 1', async () => {
    const path = write('package.json', '{\n  "name": "a-package",\n  "version": "1.0.0"\n}\n')
    const { code, out } = await coxswain(['replay', 'codex', '--check', path])
    expect(out).toContain(`skipped  ${path}: no recording: no line of it is a JSON object`)
    expect(out).toContain('0 checked, 1 skipped, 0 broken')
    expect(code).toBe(1)
  })

  it('checks whole folders, tells each ending, and skips what is not of this CLI', async () => {
    const { code, out } = await coxswain(['replay', 'codex-cli', '--check', '--verbose', folder])
    expect(code).toBe(0)
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => line.replaceAll(`${folder}/`, ''))
    expect(rows).toEqual([
      'skipped  claude/2.1/other.jsonl: of claude-code',
      'skipped  codex/0.171.0/app-server.ndjson: a two-way session: --transport live replays it',
      'ok      codex/0.171.0/failed.jsonl  error/rate_limit  ""',
      'ok      codex/0.171.0/good.jsonl  success  "All well."',
      'ok      codex/0.171.0/killed.ndjson  error/crashed  "Half a"',
      'skipped  unrelated.jsonl: no record in it that codex-cli knows',
      '3 checked, 3 skipped, 0 broken',
    ])
  })

  it('says which guarantee broke, at which record, and ends with 1', async () => {
    class Broken extends TinyWire {
      override receive(record: Record<string, unknown>) {
        const step = super.receive(record)
        return record.type === 'said' ? { events: [...step.events, ...step.events] } : step
      }
    }
    const codex = adapters['codex-cli']
    if (!codex) throw new Error('no codex')
    const path = write('broken.jsonl', lines({ type: 'say', text: 'Hi.' }, { type: 'said' }, { type: 'bye' }))
    const wire = vi.spyOn(codex.structured, 'wire').mockImplementation(() => new Broken())
    const { code, out } = await coxswain(['replay', 'codex', '--check', path])
    wire.mockRestore()
    expect(code).toBe(1)
    expect(out).toContain('guarantee 3 at record 2 (event 2): message-1 goes on after its message')
    expect(out).toContain('1 checked, 0 skipped, 1 broken')
  })

  it('prints one JSON object per file with --json', async () => {
    const path = join(folder, 'codex/0.171.0/good.jsonl')
    const { out } = await coxswain(['replay', 'codex', '--check', '--json', path])
    expect(JSON.parse(out)).toEqual({ path, status: 'success', text: 'All well.', broken: [] })
  })

  it('a recording of another CLI does not pass: it says so, and whose it looks like', async () => {
    const path = fileURLToPath(new URL('../../fixtures/claude-code/2.1.332/tool.jsonl', import.meta.url))
    const { code, out } = await coxswain(['replay', 'codex', '--check', path])
    expect(code).toBe(1)
    expect(out).toMatch(/codex-cli knows none of its \d+ records; they look like those of claude-code\n/)
    const log = await coxswain(['replay', 'codex', '--check', join(folder, 'unrelated.jsonl')])
    expect(log.code).toBe(1)
    expect(log.out).toContain('codex-cli knows none of its 1 records\n')
  })

  it('noise is no recording of another CLI: it is an error that breaks no guarantee', async () => {
    const path = write('noise.jsonl', 'npm warn\n{not json}\n\0\n[1,2]\n42\nnull\n')
    const { code, out } = await coxswain(['replay', 'codex', '--check', path])
    expect({ code, out }).toEqual({
      code: 0,
      out: `ok      ${path}  error/protocol  ""\n1 checked, 0 skipped, 0 broken\n`,
    })
  })

  it('a folder where nothing was checked does not pass', async () => {
    const { code, out } = await coxswain(['replay', 'codex', '--check', join(folder, 'claude')])
    expect({ code, out }).toEqual({
      code: 1,
      out: 'There is no recording of codex-cli here.\n0 checked, 1 skipped, 0 broken\n',
    })
  })
})
