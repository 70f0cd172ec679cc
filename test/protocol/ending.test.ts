import { describe, expect, it } from 'vitest'
import { composeCompletion, wireFault } from '../../src/protocol/completion.ts'
import { completionError, decideEnding, type Failure, type Verdict } from '../../src/protocol/ending.ts'

const suspected: Failure = { code: 'overloaded', message: 'Busy.' }
const fromStderr: Failure = { code: 'auth', message: 'Log in.' }
const exit = (exitCode: number | null, signal: string | null = null, stderr = '') => ({
  exitCode,
  signal,
  stderr,
})

describe('only the CLI’s own last record makes a success', () => {
  interface Given {
    verdict?: Verdict
    exit: ReturnType<typeof exit>
    suspected?: Failure
    fromStderr?: Failure
  }
  const rows: [string, Given, object][] = [
    [
      'a good record',
      { verdict: { detail: 'bye' }, exit: exit(0) },
      { status: 'success', stopReason: 'end_turn', evidence: { by: 'record' } },
    ],
    [
      'a good record and a bad exit',
      { verdict: { detail: 'bye' }, exit: exit(1), suspected, fromStderr },
      { status: 'success' },
    ],
    [
      'exit 0 alone',
      { exit: exit(0) },
      { status: 'error', evidence: { by: 'exit' }, error: { code: 'protocol', retryable: true } },
    ],
    ['exit 0 alone does not ask stderr', { exit: exit(0), fromStderr }, { error: { code: 'protocol' } }],
    [
      'a bad exit and what was suspected',
      { exit: exit(1), suspected, fromStderr },
      { error: { code: 'overloaded', retryable: true } },
    ],
    [
      'a bad exit and what stderr tells',
      { exit: exit(1), fromStderr },
      { error: { code: 'auth', retryable: false } },
    ],
    [
      'a bad exit and its last words',
      { exit: exit(3, null, 'a\nlast words\n\n') },
      { error: { code: 'crashed', message: 'last words' } },
    ],
    [
      'a Node program that did not catch an error',
      {
        exit: exit(
          1,
          null,
          [
            'node:internal/modules/cjs/loader:1215',
            '  throw err;',
            '  ^',
            '',
            "Error: Cannot find module '/x/cli.js'",
            '    at Module._resolveFilename (node:internal/modules/cjs/loader:1212:15) {',
            "  code: 'MODULE_NOT_FOUND',",
            '}',
            '',
            'Node.js v20.20.2',
            '',
          ].join('\n'),
        ),
      },
      { error: { code: 'crashed', message: "Error: Cannot find module '/x/cli.js'" } },
    ],
    [
      'a program that ends on the version of its Node, without an error',
      { exit: exit(1, null, 'Needs a newer one:\nNode.js v20.20.2') },
      { error: { code: 'crashed', message: 'Node.js v20.20.2' } },
    ],
    [
      'a bad exit without a word',
      { exit: exit(3) },
      { error: { code: 'crashed', message: 'The CLI exited with 3 without a word.' } },
    ],
    [
      'killed from outside',
      { exit: exit(null, 'SIGKILL') },
      { status: 'error', evidence: { by: 'signal', detail: 'SIGKILL' }, error: { code: 'crashed' } },
    ],
    [
      'killed from outside after a failure that was not the end',
      { exit: exit(null, 'SIGKILL'), suspected },
      {
        status: 'error',
        evidence: { by: 'signal' },
        error: { code: 'crashed', message: expect.stringContaining(suspected.message) },
      },
    ],
    [
      'a failure that the record tells',
      { verdict: { detail: 'bye', failure: suspected, stopReason: 'max_tokens' }, exit: exit(0) },
      { status: 'error', stopReason: 'max_tokens', error: { code: 'overloaded' } },
    ],
    [
      'a stop that the record tells',
      { verdict: { detail: 'bye', interrupted: true }, exit: exit(0) },
      { status: 'interrupted', stopReason: 'cancelled', error: { code: 'aborted' } },
    ],
  ]
  it.each(rows)('%s', (_title, given, expected) => {
    expect(decideEnding(given.verdict, given.exit, given.suspected, () => given.fromStderr)).toMatchObject(
      expected,
    )
  })
})

describe('the completion', () => {
  const facts = {
    credentialExposure: 'none',
    ledger: { bytes: 0, records: 0, ignored: 0, unknown: 0, invalid: 0, oversized: 0 },
    stderrTail: '',
    exitCode: 0,
    signal: null,
    durationMs: 5,
  } as const
  const statement = {
    type: 'completion',
    status: 'success',
    text: 'Done.',
    stopReason: 'end_turn',
    sessionId: 's',
    structuredOutput: { a: 1 },
    evidence: { by: 'record', detail: 'bye' },
  } as const

  it('is the statement and the facts', () => {
    expect(composeCompletion(statement, facts)).toEqual({ ...statement, ...facts })
  })

  it('a stop that came first wins, and keeps the text', () => {
    const completion = composeCompletion(statement, facts, {
      status: 'timeout',
      code: 'timeout',
      message: 'Too slow.',
      evidence: { by: 'budget', detail: 'totalMs' },
    })
    expect(completion).toMatchObject({
      status: 'timeout',
      text: 'Done.',
      sessionId: 's',
      error: { code: 'timeout', message: 'Too slow.' },
      evidence: { by: 'budget', detail: 'totalMs' },
    })
    expect(completion).not.toHaveProperty('stopReason')
    expect(completion).not.toHaveProperty('structuredOutput')
  })

  it('an adapter that says nothing is an error, and one that throws is named', () => {
    expect(composeCompletion(undefined, facts)).toMatchObject({
      status: 'error',
      error: { code: 'protocol' },
    })
    expect(composeCompletion(undefined, facts, wireFault(new TypeError('oops')))).toMatchObject({
      status: 'error',
      error: { code: 'protocol', message: 'The adapter failed at what the CLI said: oops' },
    })
  })
})

describe('an error says what can be read', () => {
  it.each([
    [
      'no reason',
      { code: 'unknown', message: ' \n' },
      { code: 'unknown', message: 'The CLI gave no reason.' },
    ],
    [
      'a reset before all time',
      { code: 'unknown', message: 'x', retryAt: -1 },
      { code: 'unknown', message: 'x' },
    ],
    [
      'a reset that never comes',
      { code: 'unknown', message: 'x', retryAt: 1e308 * 10 },
      { code: 'unknown', message: 'x' },
    ],
  ] as const)('%s', (_name, failure, error) => {
    expect(completionError(failure)).toEqual({ ...error, retryable: false })
  })

  it('whatever was thrown', () => {
    expect(wireFault(Object.create(null)).message).toBe(
      'The adapter failed at what the CLI said: an object without words',
    )
  })
})
