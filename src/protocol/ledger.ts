import type { Ledger } from './outcome.ts'

export const emptyLedger: Ledger = {
  bytes: 0,
  records: 0,
  ignored: 0,
  unknown: 0,
  invalid: 0,
  oversized: 0,
}

/** What came after that. */
export function ledgerSince(before: Ledger, now: Ledger): Ledger {
  return {
    bytes: now.bytes - before.bytes,
    records: now.records - before.records,
    ignored: now.ignored - before.ignored,
    unknown: now.unknown - before.unknown,
    invalid: now.invalid - before.invalid,
    oversized: now.oversized - before.oversized,
  }
}
