import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isTwoWay, readRecording, versionInPath } from '../../src/testing/recording.ts'

test.each([
  ['fixtures/codex-cli/0.171.0/tool.jsonl', '0.171.0'],
  ['recordings/codex/0.147.0-exec-text.ndjson', '0.147.0'],
  ['recordings/cursor/2026.09.15-read.ndjson', '2026.09.15'],
  ['cursor-cli/constructed-2026.01.28/text.jsonl', '2026.01.28'],
  ['recordings/codex/exec-text.ndjson', undefined],
  ['1.2.3.4/text.jsonl', undefined],
])('the version that %s tells is %s', (path, version) => {
  expect(versionInPath(path)).toBe(version)
})

describe('a recording is taken for a two-way session', () => {
  const lines = (...records: object[]) =>
    Buffer.from(records.map((each) => `${JSON.stringify(each)}\n`).join(''))

  test.each([
    ['framed from its first record on', lines({ dir: 'out', msg: {} }), true],
    ['of JSON-RPC from its first record on', lines({ id: 1, result: {} }), true],
    ['with control records in the middle', lines({ type: 'system' }, { type: 'control_request' }), true],
    ['not for one odd line in the middle', lines({ type: 'system' }, { method: 'x' }, { msg: {} }), false],
    ['not when it is one-shot', lines({ type: 'thread.started' }, { type: 'turn.started' }), false],
  ])('%s', (_, stdout, expected) => {
    expect(isTwoWay(stdout)).toBe(expected)
  })
})

test.each([
  ['{"exitCode":1,"signal":null}', { exitCode: 1, signal: null }],
  ['{"exitCode":null,"signal":"SIGKILL"}', { exitCode: null, signal: 'SIGKILL' }],
  ['143\n', { exitCode: 143, signal: null }],
  ['SIGTERM', { exitCode: null, signal: 'SIGTERM' }],
  ['exit code: 2', { exitCode: 2, signal: null }],
  ['killed by SIGKILL (9)', { exitCode: null, signal: 'SIGKILL' }],
  ['crashed', { exitCode: 1, signal: null }],
])('the exit noted as %s is %o', async (text, expected) => {
  const folder = await mkdtemp(join(tmpdir(), 'coxswain-recording-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'turn.jsonl'), '{}\n')
  await writeFile(join(folder, 'turn.exit'), text)
  expect(readRecording(join(folder, 'turn.jsonl')).exit).toMatchObject(expected)
})
