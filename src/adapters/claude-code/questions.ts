import type { Answers } from '../../protocol/form-answers.ts'
import { asArray, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'

/**
 * The questions of an AskUserQuestion call as a JSON Schema: a property per question, named by the question's own text, which is
 * what claude wants the answers keyed by. The choices stand as MCP's elicitations have them. claude takes any other text, too.
 */
export function questionSchema(input: JsonObject): JsonObject {
  const properties: Record<string, unknown> = {}
  for (const question of questionsOf(input)) {
    const choices = asArray(question.options).flatMap((value) => {
      const option = asObject(value)
      const label = asString(option?.label)
      if (label === undefined) return []
      const description = asString(option?.description)
      return [{ const: label, title: label, ...(description !== undefined && { description }) }]
    })
    const about = { title: asString(question.header) ?? question.text, description: question.text }
    properties[question.text] =
      question.multiSelect === true
        ? { ...about, type: 'array', items: { type: 'string', anyOf: choices } }
        : { ...about, type: 'string', oneOf: choices }
  }
  return { type: 'object', properties, required: Object.keys(properties) }
}

export function questionTitle(input: JsonObject): string {
  return questionsOf(input)
    .map(({ text }) => text)
    .join(' ')
}

/** The call's input with the answers in it. Several choices go as one text, as claude's own dialog has them. */
export function answeredInput(input: JsonObject, answers: Answers): JsonObject {
  const texts = Object.entries(answers).map(([question, answer]) => [
    question,
    Array.isArray(answer) ? answer.join(', ') : answer,
  ])
  return { ...input, answers: Object.fromEntries(texts) }
}

function questionsOf(input: JsonObject): (JsonObject & { text: string })[] {
  return asArray(input.questions).flatMap((value) => {
    const question = asObject(value)
    const text = asString(question?.question)
    return question === undefined || text === undefined ? [] : [{ ...question, text }]
  })
}
