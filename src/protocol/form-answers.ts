import { asObject, type JsonObject } from './narrow.ts'

/** What a person filled in, by the name of the field or the question. */
export type Answers = Readonly<Record<string, string | readonly string[]>>

/** Answers are texts; a form wants them in the types of its schema. What has no number in it stays a text, and is refused as one. */
export function formAnswers(answers: Answers, schema: JsonObject): JsonObject {
  const properties = asObject(schema.properties) ?? {}
  return Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      typed(answer, propertyOf(properties, name)?.type),
    ]),
  )
}

function propertyOf(properties: JsonObject, name: string): JsonObject | undefined {
  return Object.hasOwn(properties, name) ? asObject(properties[name]) : undefined
}

function typed(answer: string | readonly string[], type: unknown): unknown {
  if (type === 'array') return [answer].flat()
  const text = [answer].flat().join(', ')
  if (type === 'boolean') return /^(?:true|yes|y|1)$/i.test(text.trim())
  if (type !== 'number' && type !== 'integer') return text
  const number = Number(text)
  return Number.isFinite(number) && text.trim() !== '' ? number : text
}
