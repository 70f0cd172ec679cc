import type { Decision } from '../options/turn-options.ts'
import type { DecisionWord, InteractionOption, InteractionPayload } from '../protocol/events.ts'
import { asObject } from '../protocol/narrow.ts'
import { excerpt, harmless, type Style, table } from './output.ts'
import { answerIn, type Field, fieldsOf } from './question-fields.ts'

/** Somebody to ask. */
export interface Person {
  style: Style
  say(line: string): Promise<void>
  /** undefined: nobody asks any more. */
  read(label: string, isSecret?: boolean): Promise<string | undefined>
}

/**
 * Asks a person what a CLI asks, and says what each answer means. undefined: nobody asks any more.
 *
 * @param input of the tool call that it is about, where that is known
 */
export async function askPerson(
  request: InteractionPayload,
  person: Person,
  input?: unknown,
): Promise<Decision | undefined> {
  // A plan is judged by all of it.
  if (request.kind === 'plan') {
    for (const text of Object.values(asObject(input) ?? {})) {
      if (typeof text === 'string') await person.say(harmless(text).trim())
    }
  }
  await person.say(`${person.style.yellow('?')} ${person.style.bold(harmless(request.title).trim())}`)
  const fields = request.schema === undefined ? [] : fieldsOf(request.schema)
  return fields.length === 0 ? askToDecide(request, person) : askToFill(request, fields, person)
}

interface Way {
  label: string
  meaning: string
  word: DecisionWord
  decision: Decision
}

const meanings: Record<InteractionOption['kind'], string> = {
  allow_once: 'this once',
  allow_always: 'from now on, unasked',
  reject_once: 'not this time',
  reject_always: 'neither now nor later',
}

const consent: InteractionOption[] = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
]

async function askToDecide({ options }: InteractionPayload, person: Person): Promise<Decision | undefined> {
  const offered = options?.length ? options : consent
  const ways: Way[] = [
    ...offered.map(({ optionId, name, kind }): Way => {
      const word = kind.startsWith('allow') ? 'allow' : 'deny'
      return {
        label: excerpt(name, 100),
        meaning: meanings[kind],
        word,
        decision: { decision: word, optionId },
      }
    }),
    { label: 'Stop', meaning: 'not this time, and the turn ends here', word: 'cancel', decision: 'cancel' },
  ]
  await showNumbered(
    ways.map(({ label, meaning }) => [label, meaning]),
    person,
  )
  await person.say(person.style.dim('  Any other text denies it, with that as the reason.'))
  for (;;) {
    const typed = await person.read(person.style.yellow(`1-${ways.length} › `))
    if (typed === undefined) return undefined
    const text = typed.trim()
    const way = wayOf(text, ways)
    if (way) return way.decision
    // A number or a letter that stands for nothing is a slip, and no reason.
    if (text.length > 1 && !/^\d+$/.test(text)) return { decision: 'deny', message: text }
    await person.say(person.style.dim(`  Give a number from 1 to ${ways.length}, y or n, or say why not.`))
  }
}

function wayOf(text: string, ways: readonly Way[]): Way | undefined {
  if (/^\d+$/.test(text)) return ways[Number(text) - 1]
  const word = text.toLowerCase()
  const wanted = /^y(?:es)?$/.test(word) ? 'allow' : /^no?$/.test(word) ? 'deny' : undefined
  return ways.find(({ label, word: its }) => its === wanted || label.toLowerCase() === word)
}

const declines = '-'

async function askToFill(
  { kind, title }: InteractionPayload,
  fields: readonly Field[],
  person: Person,
): Promise<Decision | undefined> {
  const answers: Record<string, string | string[]> = {}
  for (const field of fields) {
    if (fields.length > 1 || !title.includes(field.question)) {
      await person.say(`  ${person.style.bold(harmless(field.question))}`)
    }
    await showNumbered(
      field.choices.map(({ label, about }) => [excerpt(label, 100), excerpt(about ?? '', 200)]),
      person,
    )
    await person.say(person.style.dim(`  ${hintOf(field, kind)}`))
    const answer = await askField(field, person)
    if (answer === undefined) return undefined
    if (answer === declines) return 'deny'
    if (answer !== '') answers[field.name] = answer
  }
  return { decision: 'allow', answers }
}

/** undefined: nobody asks any more; '': left out. */
async function askField(field: Field, person: Person): Promise<string | string[] | undefined> {
  for (;;) {
    const typed = await person.read(person.style.yellow('answer › '), field.isSecret)
    if (typed === undefined) return undefined
    if (typed.trim() === declines) return declines
    const answer = answerIn(field, typed)
    if (answer !== undefined) return answer
    if (typed.trim() === '' && !field.isRequired) return ''
    await person.say(person.style.dim('  That is none of the answers.'))
  }
}

function hintOf({ choices, isMultiple, isOpen, isRequired, fallback }: Field, kind: string): string {
  const ways = [
    choices.length > 0 && (isMultiple ? 'Numbers, with commas' : 'A number'),
    isOpen && (choices.length > 0 ? 'an answer of your own' : 'Your answer'),
    fallback !== undefined && `nothing for "${excerpt(fallback, 60)}"`,
    fallback === undefined && !isRequired && 'nothing to leave it out',
  ]
  const told = kind === 'form' ? 'declines the form' : 'does not answer: the model is told, and goes on'
  return `${ways.filter((way) => way !== false).join(', or ')}; ${declines} ${told}.`
}

async function showNumbered(rows: readonly [string, string][], { say, style }: Person): Promise<void> {
  if (rows.length === 0) return
  const numbered = rows.map(([label, about], index) => [`  ${index + 1}`, label, style.dim(about)])
  for (const line of table(numbered)) await say(line)
}
