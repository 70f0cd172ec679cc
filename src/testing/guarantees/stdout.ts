import type { AgentEvent, CompletionEvent } from '../../protocol/events.ts'
import type { Ledger } from '../../protocol/outcome.ts'
import type { Breach } from './breach.ts'

/** Guarantees 7 (what is not known is said) and 9 (the ledger counts what came). */
export function checkStdout(
  events: readonly AgentEvent[],
  completion: CompletionEvent,
  stdout: Uint8Array | undefined,
): Breach[] {
  const { ledger, seq } = completion
  const notices = (code: string) =>
    events.filter((event) => event.type === 'notice' && event.code === code).length
  const faults: [7 | 9, boolean, string][] = [
    ...pairs([
      ['unknown_record', notices('unknown_record'), ledger.unknown],
      ['line_invalid', notices('line_invalid'), ledger.invalid],
      ['line_oversized', notices('line_oversized'), ledger.oversized],
    ]),
    [9, ledger.ignored > ledger.records, `the ledger ignored ${ledger.ignored} of ${ledger.records} records`],
  ]
  if (stdout) faults.push(...againstBytes(ledger, stdout))
  return faults.filter(([, broken]) => broken).map(([guarantee, , message]) => ({ guarantee, message, seq }))
}

/** The ledgers of several turns together count what came. */
export function checkLedgers(ledgers: readonly Ledger[], stdout: Uint8Array): Breach[] {
  const sum = (field: keyof Ledger) => ledgers.reduce((total, ledger) => total + ledger[field], 0)
  const whole: Ledger = {
    bytes: sum('bytes'),
    records: sum('records'),
    ignored: sum('ignored'),
    unknown: sum('unknown'),
    invalid: sum('invalid'),
    oversized: sum('oversized'),
  }
  return againstBytes(whole, stdout)
    .filter(([, broken]) => broken)
    .map(([guarantee, , message]) => ({ guarantee, message }))
}

function pairs(rows: [string, number, number][]): [7, boolean, string][] {
  return rows.map(([code, said, counted]) => [
    7,
    said !== counted,
    `${said} notices '${code}', but the ledger counts ${counted}`,
  ])
}

/** Our own count of the lines. A line that is no JSON may still hold records (several on one line, or after an escape sequence). */
function againstBytes(ledger: Ledger, stdout: Uint8Array): [7 | 9, boolean, string][] {
  let json = 0
  let other = 0
  for (const line of new TextDecoder('utf-8', { ignoreBOM: true }).decode(stdout).split('\n')) {
    // trim() takes a byte order mark for a blank.
    if (line.trim() === '' && !line.startsWith('\uFEFF')) continue
    if (isJson(line)) json++
    else other++
  }
  const heldRecords = other - ledger.invalid - ledger.oversized
  return [
    [9, ledger.bytes !== stdout.length, `the ledger counts ${ledger.bytes} of ${stdout.length} bytes`],
    [
      9,
      other === 0 && ledger.oversized === 0 && ledger.records !== json,
      `the ledger counts ${ledger.records} of ${json} records`,
    ],
    [
      7,
      other > 0 && ledger.oversized === 0 && (heldRecords < 0 || ledger.records - json < heldRecords),
      `of ${json} lines of JSON and ${other} others, the ledger tells ${ledger.records} records and ${ledger.invalid} invalid lines`,
    ],
  ]
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
