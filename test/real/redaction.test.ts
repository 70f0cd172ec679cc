import { describe, expect, test } from 'vitest'
import { type AgentEvent, isAgentError, startTurn, type TurnOptions } from '../../src/index.ts'
import type { Scenario } from '../../src/testing/scenario.ts'
import { occurrences, piecesOf, said } from '../secrets-said.ts'
import { namedClis } from './clis.ts'
import { Workbench } from './workbench.ts'

const plain = 'tide-7f3a9b1c4dEF'
const odd = 'pa"ss\\w/rd+é 91'
const scope = { SECRET_X: plain, SECRET_ODD: odd }

const shell = (command: string) => ({ name: 'shell', input: { command } })

/** The model says both secrets in pieces, thinks of one, and has its shell print them in several ways. */
const chatter: Scenario = [
  {
    thinking: piecesOf(`The key is ${plain}, I think.`, 3),
    text: piecesOf(`It is ${plain} or ${odd}.`, 1),
    toolCalls: [shell(`echo ${plain}; echo "$SECRET_X"; echo "$SECRET_ODD" >&2`)],
  },
  {
    text: piecesOf(`Now in base64, as JSON: ${JSON.stringify({ odd, plain })}`, 2),
    toolCalls: [
      shell(
        // Within a shell of its own: claude 2.0 takes a pipe apart and loses the variables.
        `sh -c 'printf %s "$SECRET_X" | base64 -w0; echo; printf "the odd one is %s, says the harbour master, who should know" "$SECRET_ODD" | base64 -w 64'`,
      ),
    ],
  },
  { text: piecesOf(`Twice: ${plain}${plain}, ${encodeURIComponent(odd)}, done; ti`, 7) },
]

async function play(bench: Workbench, options: Partial<TurnOptions>): Promise<string[]> {
  const logged: unknown[] = []
  const turn = startTurn(
    bench.options({ scope, includeRaw: true, log: (entry) => logged.push(entry), ...options }),
  )
  const events: AgentEvent[] = []
  for await (const event of turn) events.push(event)
  const thrown = await turn.text().catch((error: unknown) => error)
  const error = isAgentError(thrown) ? [thrown.message, thrown.hint, thrown.stack] : [thrown]
  return said(events, await turn.completion, logged, error)
}

describe.each(namedClis)('%s', (_, cli) => {
  test('no form of a secret is in anything that a consumer sees, and without redaction it is', async () => {
    const bench = await Workbench.open(cli, chatter)
    const texts = await play(bench, {})
    expect(occurrences(texts, [plain, odd])).toEqual([])
    expect(texts.join('\n')).toContain('It is [redacted:SECRET_X] or [redacted:SECRET_ODD].')
    expect(texts.join('\n')).toContain(
      'Twice: [redacted:SECRET_X][redacted:SECRET_X], [redacted:SECRET_ODD], done; ti',
    )

    const control = await play(bench, { redact: false })
    const forms = new Set(occurrences(control, [plain, odd]))
    expect([...forms]).toEqual(
      expect.arrayContaining([plain, odd, 'dGlkZS03ZjNhOWIxYzRkRU', encodeURIComponent(odd)]),
    )
  })

  test('an error of the API that quotes a secret does not', async () => {
    const errorMessage = `The key ${plain} and ${JSON.stringify(odd)} may not do that.`
    const bench = await Workbench.open(cli, [{ status: 400, errorMessage }])
    const texts = await play(bench, {})
    expect(occurrences(texts, [plain, odd])).toEqual([])
    expect(texts.join('\n')).toContain('[redacted:SECRET_X]')
    expect(occurrences(await play(bench, { redact: false }), [plain])).not.toEqual([])
  })
})
