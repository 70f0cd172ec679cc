import { formAnswers } from '../../protocol/form-answers.ts'
import { asArray, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { WireDecision } from '../../protocol/wire.ts'

/** A JSON schema whose properties are the ids of the questions: what `answers` is keyed by. */
export function questionSchema(questions: readonly JsonObject[]): JsonObject {
  const properties = questions.flatMap((question): [string, JsonObject][] => {
    const id = asString(question.id)
    return id === undefined ? [] : [[id, questionProperty(question)]]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([id]) => id),
  }
}

function questionProperty(question: JsonObject): JsonObject {
  const options = asArray(question.options).flatMap((value): JsonObject[] => {
    const option = asObject(value)
    const label = asString(option?.label)
    if (label === undefined) return []
    const description = asString(option?.description)
    return [{ const: label, title: label, ...(description !== undefined && { description }) }]
  })
  return {
    type: 'string',
    title: asString(question.header) ?? '',
    description: asString(question.question) ?? '',
    ...(options.length > 0 && question.isOther !== true && { oneOf: options }),
    ...(options.length > 0 && question.isOther === true && { anyOf: [...options, { title: 'Other' }] }),
    ...(question.isSecret === true && { writeOnly: true }),
  }
}

/** What fills an MCP server's form: `updatedInput` as it is, or `answers` in the types that the form wants. */
export function formContent(schema: JsonObject, { updatedInput, answers = {} }: WireDecision): unknown {
  if (updatedInput !== undefined) return updatedInput
  return formAnswers(answers, schema)
}
