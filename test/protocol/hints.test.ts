import { expect, test } from 'vitest'
import { errorCodes } from '../../src/errors.ts'
import { composeCompletion, type Stop } from '../../src/protocol/completion.ts'
import { hintOrDefault } from '../../src/protocol/hints.ts'
import type { CompletionStatement } from '../../src/protocol/outcome.ts'

const facts = {
  credentialExposure: 'none',
  ledger: { bytes: 0, records: 0, ignored: 0, unknown: 0, invalid: 0, oversized: 0 },
  stderrTail: '',
  exitCode: 1,
  signal: null,
  durationMs: 5,
} as const

/** As a wire of somebody else's adapter may make it: without a hint, or with a blank one. */
function failed(hint?: string): CompletionStatement {
  return {
    type: 'completion',
    status: 'error',
    text: '',
    evidence: { by: 'record', detail: 'bye' },
    error: { code: 'network', message: 'Gone.', retryable: true, ...(hint !== undefined && { hint }) },
  }
}

const stop: Stop = {
  status: 'interrupted',
  code: 'aborted',
  message: 'Stopped.',
  evidence: { by: 'host', detail: 'abort' },
}

const atNetwork =
  'Check that the provider can be reached (connection, proxy, `endpoint`), and start the turn again.'
const atAborted = 'Start the turn again, with `resume` where the conversation shall go on.'

test.each<[string, CompletionStatement | undefined, Stop | undefined, string]>([
  ['of a wire that gives none', failed(), undefined, atNetwork],
  ['of a wire that gives a blank one', failed(' '), undefined, atNetwork],
  ['of a wire that knows better', failed('Plug it in.'), undefined, 'Plug it in.'],
  ['of a stop without one', failed('Plug it in.'), stop, atAborted],
  ['of a stop that knows better', undefined, { ...stop, hint: 'Do not.' }, 'Do not.'],
])('the hint %s', (_title, statement, given, hint) => {
  expect(composeCompletion(statement, facts, given).error?.hint).toBe(hint)
})

test('a completion of a wire that says nothing has a hint, and a success no error', () => {
  expect(composeCompletion(undefined, facts).error?.hint).toMatch(/^Start the turn again/)
  const { error: _error, ...rest } = failed()
  expect(composeCompletion({ ...rest, status: 'success' }, facts)).not.toHaveProperty('error')
})

test.each(errorCodes)('%s: one sentence that says what to do', (code) => {
  expect(hintOrDefault(code)).toMatch(/^[A-Z][^\n]{10,140}\.$/)
})
