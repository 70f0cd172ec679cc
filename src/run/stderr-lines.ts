import type { Readable } from 'node:stream'
import split2 from 'split2'
import type { LogEntry } from '../options/turn-options.ts'
import type { Redactor } from '../protocol/redact.ts'
import { runCallerCode } from './caller-code.ts'
import { withoutEscapes } from './stderr-tail.ts'

/** split2 scans its pending text again for every chunk, so what is pending must be short; a longer line is left out. */
const bound = { maxLength: 64 * 1024, skipOverflow: true }

/** Reports each line of a stream, decoded across chunks. The stream's own readers are left alone. */
export function reportLines(stream: Readable, report: (line: string) => void): void {
  const lines = split2(bound)
  lines.on('data', (line: string) => {
    if (line.trim() !== '') report(withoutEscapes(line))
  })
  stream.pipe(lines)
}

/** Each line of a child's stderr becomes an entry of the caller's log, without secrets. */
export function reportStderr(
  stderr: Readable,
  log: ((entry: LogEntry) => void) | undefined,
  redactor: Redactor | undefined,
): void {
  if (!log) return
  reportLines(stderr, (line) => {
    const message = redactor?.text(line) ?? line
    runCallerCode(() => log({ level: 'debug', message }))
  })
}
