import { describe, expect, test } from 'vitest'
import { type AgentEvent, isAgentError, replay, startTurn } from '../../src/index.ts'
import { fakeCli } from '../../src/testing.ts'
import { occurrences, piecesOf, said } from '../secrets-said.ts'
import { prints, spokenClis } from './fault-table-clis.ts'
import { collect, hello, probe, scratch, script, shell, start } from './probe.ts'

const plain = 'tide-7f3a9b1c4dEF'
const odd = 'pa"ss\\w/rd+é 91'
const values = [plain, odd]
const scope = { SECRET_X: plain, SECRET_ODD: odd }
const spoken = `It is ${plain}${plain} or ${odd}, ${JSON.stringify({ odd })}.`
const clean =
  'It is [redacted:SECRET_X][redacted:SECRET_X] or [redacted:SECRET_ODD], {"odd":"[redacted:SECRET_ODD]"}.'

const claudePart = (event: object) => ({ type: 'stream_event', event, session_id: 's1' })
const cursorPart = (text: string) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  session_id: 's1',
  timestamp_ms: 1,
})
const piPart = (event: object) => ({
  type: 'message_update',
  assistantMessageEvent: { contentIndex: 0, ...event },
})

/** How each CLI that streams says a text in these pieces. */
const streamed: Readonly<Record<string, (pieces: string[], whole: object[]) => object[]>> = {
  'claude-code': (pieces, whole) => [
    claudePart({ type: 'message_start', message: { id: 'm1', role: 'assistant', content: [] } }),
    claudePart({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    ...pieces.map((text) =>
      claudePart({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    ),
    ...whole,
  ],
  'codex-cli': (_pieces, whole) => whole,
  'cursor-cli': (pieces, whole) => [...pieces.map(cursorPart), ...whole.slice(1)],
  'pi-cli': (pieces, whole) => [
    ...whole.slice(0, 2),
    ...pieces.map((delta) => piPart({ type: 'text_delta', delta })),
    ...whole.slice(3),
  ],
}

const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

describe.each(spokenClis)('$adapter', ({ adapter, version, hello: greeting, says, bye }) => {
  const records = (size: number) => [
    ...greeting,
    { type: 'something_new', [plain]: { odd, list: [spoken] } },
    ...(streamed[adapter]?.(piecesOf(spoken, size), says(spoken)) ?? []),
    ...bye,
  ]

  test.each([1, 2, 3, 4, 5, 6, 7])(
    'in pieces of %i: no event, raw record or text of a replay holds a secret',
    async (size) => {
      const play = (options: object) =>
        collect(
          replay({
            adapter,
            stdout: [lines(records(size))],
            options: { scope, includeRaw: true, ...options },
          }),
        )
      const events = await play({})
      expect(occurrences(said(events, undefined), values)).toEqual([])
      expect(events.at(-1)).toMatchObject({ type: 'completion', text: clean })
      expect(occurrences(said(await play({ redact: false }), undefined), values)).toEqual(
        expect.arrayContaining(values),
      )
    },
  )

  test('a turn of a process: stderr, the log and the error that text() throws hold none either', async () => {
    await using fake = await fakeCli({
      version,
      steps: [
        ...prints(records(3).slice(0, -bye.length)),
        { stderr: `fatal: ${plain} or ${odd} was refused\n` },
        { print: `no JSON: ${spoken}` },
        { exit: 7 },
      ],
    })
    const play = async (options: object) => {
      const logged: unknown[] = []
      const turn = startTurn({
        adapter,
        prompt: 'hello',
        binary: fake.binary,
        cwd: scratch,
        scope,
        includeRaw: true,
        environment: { ...process.env, HOME: scratch, XDG_STATE_HOME: `${scratch}/state` },
        log: (entry) => logged.push(entry),
        ...options,
      })
      const events: AgentEvent[] = await collect(turn)
      const error = await turn.text().catch((thrown: unknown) => thrown)
      if (!isAgentError(error)) throw new Error('The turn was no failure.')
      return said(events, await turn.completion, logged, [error.message, error.hint, error.stack])
    }
    const texts = await play({})
    expect(occurrences(texts, values)).toEqual([])
    expect(texts.join('\n')).toContain('fatal: [redacted:SECRET_X] or [redacted:SECRET_ODD] was refused')
    expect(occurrences(await play({ redact: false }), values)).toEqual(expect.arrayContaining(values))
  })
})

test('an error of a turn that could not start does not quote a secret', async () => {
  const completion = await start(`/nowhere/${plain}/cli`, { scope }).completion
  expect(completion.error?.message).toContain('/nowhere/[redacted:SECRET_X]/cli')
  expect(JSON.stringify(completion)).not.toContain(plain)
})

test('an adapter that fails at a record does not quote it', async () => {
  const wire = () => ({
    ...probe.structured.wire(),
    start: () => ({ events: [] }),
    receive: () => {
      throw new Error(`cannot read ${plain}`)
    },
    end: () => ({ events: [] }),
  })
  const turn = start(shell(`echo '${hello}'`), {
    scope,
    adapter: { ...probe, structured: { ...probe.structured, wire } },
  })
  const { error } = await turn.completion
  expect(error?.message).toBe('The adapter failed at what the CLI said: cannot read [redacted:SECRET_X]')
})

test('a quoted line that was shortened within a secret does not end in most of it', async () => {
  const binary = script(`process.stderr.write('x'.repeat(490) + '${plain}\\n'); process.exitCode = 1`)
  const completion = await start(binary, { scope }).completion
  expect(JSON.stringify(completion)).not.toContain(plain.slice(0, 10))
})

test("the tokens of the user's sign-in, which the shell can read, are hidden", async () => {
  const { mkdirSync, writeFileSync } = await import('node:fs')
  const home = `${scratch}/signed-in`
  mkdirSync(`${home}/.tiny`, { recursive: true })
  writeFileSync(
    `${home}/.tiny/key`,
    JSON.stringify({ tokens: { access_token: 'eyJ-0123456789-token', token_type: 'bearer' } }),
  )
  const completion = await start(shell('cat "$TINY_HOME/key" >&2; exit 1'), {
    adapter: probe,
    home: 'private',
    environment: { ...process.env, HOME: home, XDG_STATE_HOME: `${home}/state` },
  }).completion
  expect(completion.stderrTail).toBe(
    '{"tokens":{"access_token":"[redacted:SIGN_IN_ACCESS_TOKEN]","token_type":"bearer"}}',
  )
})
