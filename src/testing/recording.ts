import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { asNumber, asObject, asString } from '../protocol/narrow.ts'
import { parseLine } from '../protocol/records.ts'
import type { RecordedExit } from '../run/recorded-turn.ts'

/** One recorded turn: raw stdout, and how the process ended. */
export interface Recording {
  path: string
  stdout: Uint8Array
  /** Exit 0 without stderr, where nothing beside the file says another. */
  exit: RecordedExit & { stderr: string }
}

const stdoutEnding = /\.(?:jsonl|ndjson)$/

/** The recordings in a folder and the folders below it, sorted; a file is itself. */
export function findRecordings(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && stdoutEnding.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Reads `<case>.jsonl`, and beside it `<case>.exit.json` or `<case>.exit`, and `<case>.stderr`. */
export function readRecording(path: string): Recording {
  const exit = readBeside(path, ['.exit.json', '.exit'])
  return {
    path,
    stdout: readFileSync(path),
    exit: { ...parseExit(exit ?? '0'), stderr: readBeside(path, ['.stderr']) ?? '' },
  }
}

export function isCalledRecording(path: string): boolean {
  return stdoutEnding.test(path)
}

/** Noise holds none, not even where a line of it happens to be JSON. */
export function holdsRecords(stdout: Uint8Array): boolean {
  const lines = new TextDecoder().decode(stdout).split('\n')
  return lines.some((line) => typeof parseLine(line) === 'object')
}

/** The name of the case, with its folder: the path without the ending of a recording. */
export function withoutEnding(path: string): string {
  return path.replace(stdoutEnding, '')
}

function readBeside(path: string, endings: string[]): string | undefined {
  for (const base of [withoutEnding(path), path]) {
    const found = endings.map((ending) => `${base}${ending}`).find((each) => existsSync(each))
    if (found !== undefined) return readFileSync(found, 'utf8')
  }
  return undefined
}

/** `{"exitCode":1,"signal":null}`, or what a shell script would note: `1`, `SIGTERM`. */
function parseExit(text: string): { exitCode: number | null; signal: string | null } {
  const word = text.trim()
  const exit = parseObject(word)
  if (!exit) return exitInWords(word)
  const signal = asString(exit.signal) ?? null
  return {
    exitCode: asNumber(exit.exitCode) ?? asNumber(exit.code) ?? (signal === null ? 0 : null),
    signal,
  }
}

/** The first signal or number in it. A word that has neither is not taken for a good end. */
function exitInWords(text: string): { exitCode: number | null; signal: string | null } {
  const signal = /\bSIG[A-Z0-9]+\b/.exec(text)?.[0]
  if (signal !== undefined) return { exitCode: null, signal }
  const code = /\d+/.exec(text)?.[0]
  return { exitCode: code === undefined && text !== '' ? 1 : Number(code ?? 0), signal: null }
}

/**
 * Whether a recording is of a two-way session: framed as {"dir","msg"} or JSON-RPC from its first record on, or with the control
 * records of claude and pi anywhere. Those take a live transport to replay.
 */
export function isTwoWay(stdout: Uint8Array): boolean {
  const text = new TextDecoder().decode(stdout)
  let isFirst = true
  for (const line of text.split('\n')) {
    if (!isFirst && !/"control_re|"extension_ui_request"|"response"/.test(line)) continue
    const record = parseObject(line)
    if (!record) continue
    if ((isFirst && isFramed(record)) || isControl(record)) return true
    isFirst = false
  }
  return false
}

function isFramed(record: Record<string, unknown>): boolean {
  if (record.type !== undefined) return false
  const isFrame = asString(record.dir) !== undefined && asObject(record.msg) !== undefined
  return isFrame || 'jsonrpc' in record || asString(record.method) !== undefined || 'id' in record
}

function isControl(record: Record<string, unknown>): boolean {
  return (
    record.type === 'control_request' ||
    record.type === 'control_response' ||
    record.type === 'extension_ui_request' ||
    (record.type === 'response' && 'command' in record)
  )
}

/** The CLI's version where the folder's or the file's name tells it: fixtures/codex-cli/0.171.0/tool.jsonl. */
export function versionInPath(path: string): string | undefined {
  const [file = '', folder = ''] = path.split('/').reverse()
  const version = /(?:^|[^\d.])(\d+\.\d+\.\d+)(?![\d.]*\d)/
  return (version.exec(file) ?? version.exec(folder))?.[1]
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(line))
  } catch {
    return undefined
  }
}
