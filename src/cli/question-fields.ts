import { asArray, asObject, asString, type JsonObject } from '../protocol/narrow.ts'

/** One thing that a question or a form asks for. */
export interface Field {
  /** The key of its answer. */
  name: string
  question: string
  choices: Choice[]
  /** Several of the choices can be taken. */
  isMultiple: boolean
  /** Any other text is an answer, too. */
  isOpen: boolean
  /** Its answer is not to be shown. */
  isSecret: boolean
  isRequired: boolean
  /** What an empty answer means. */
  fallback?: string
}

export interface Choice {
  value: string
  label: string
  about?: string
}

/** What the JSON schema of an interaction asks for, in its order. */
export function fieldsOf(schema: unknown): Field[] {
  const whole = asObject(schema) ?? {}
  const required = new Set(asArray(whole.required))
  return Object.entries(asObject(whole.properties) ?? {}).map(([name, value]) => {
    const property = asObject(value) ?? {}
    const items = asObject(property.items)
    const choices = choicesOf(items ?? property)
    const fallback = fallbackOf(property.default)
    return {
      name,
      question: asString(property.description) || asString(property.title) || name,
      choices,
      isMultiple: property.type === 'array',
      isOpen: (items ?? property).enum === undefined && property.type !== 'boolean',
      isSecret: property.writeOnly === true,
      isRequired: required.has(name),
      ...(fallback !== undefined && { fallback }),
    }
  })
}

/** The answer that a typed text is; undefined where it is none. */
export function answerIn(field: Field, typed: string): string | string[] | undefined {
  const text = typed.trim()
  if (text === '') return field.fallback
  if (!field.isMultiple) return oneIn(field, text)
  const whole = oneIn(field, text)
  if (whole !== undefined && !/[,\s]/.test(text)) return [whole]
  const parts = text
    .split(field.isOpen ? /\s*,\s*/ : /[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => oneIn(field, part))
  return parts.every((part) => part !== undefined) ? parts.filter((part) => part !== undefined) : undefined
}

function oneIn({ choices, isOpen }: Field, text: string): string | undefined {
  const numbered = /^\d+$/.test(text) ? choices[Number(text) - 1] : undefined
  const named = choices.find(({ label }) => label.toLowerCase() === text.toLowerCase())
  return (numbered ?? named)?.value ?? (isOpen ? text : undefined)
}

function choicesOf(property: JsonObject): Choice[] {
  if (property.type === 'boolean') {
    return [
      { value: 'true', label: 'yes' },
      { value: 'false', label: 'no' },
    ]
  }
  const plain = asArray(property.enum).map((value, index) => {
    const label = asString(asArray(property.enumNames)[index]) ?? String(value)
    return { value: String(value), label }
  })
  const described = [...asArray(property.oneOf), ...asArray(property.anyOf)].flatMap((value): Choice[] => {
    const option = asObject(value)
    if (option?.const === undefined) return []
    const text = String(option.const)
    const about = asString(option.description)
    return [{ value: text, label: asString(option.title) || text, ...(about !== undefined && { about }) }]
  })
  return [...plain, ...described]
}

function fallbackOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}
