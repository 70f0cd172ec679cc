import { z } from 'zod'
import { longestTimeout } from '../longest-timeout.ts'
import { presentValues } from './present.ts'

/** The kinds of values that options have; as in schema.ts, what is said of a wrong one never repeats it. */

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

export const text = z.string({ error: 'expected a text' })
export const flag = z.boolean({ error: 'expected true or false' })
export const word = text.regex(/^[^-\s\p{Cc}][^\s\p{Cc}]*$/u, {
  error: 'expected one word that does not begin with "-"',
})
/** Text that ends on argv or in the environment, where a NUL cannot go. */
export const line = text.min(1, { error: 'must not be empty' }).refine((value) => !value.includes('\0'), {
  error: 'must not hold a NUL character',
})
export const texts = z.array(line, { error: 'expected a list of texts' })

export function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words, { error: `expected ${listed(words)}` })
}

/** 'a', 'b' or 'c' */
export function listed(words: readonly string[], last = 'or'): string {
  const quoted = words.map((each) => `'${each}'`)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`
}

export const milliseconds = z
  .number({ error: 'expected a number of milliseconds above 0' })
  .positive({ error: 'expected a number of milliseconds above 0' })
  .max(longestTimeout, { error: `expected at most ${longestTimeout} milliseconds (24 days)` })

export const directory = z.strictObject({ directory: line }, { error: 'expected { directory: path }' })

export const httpUrl = text.refine(isHttpUrl, {
  error: 'expected an http or https address, without a user name or password in it',
})

function isHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

/** What is undefined counts as left out, as an option does: callers spread what they may not have. */
export function byName<Value extends z.ZodType>(
  name: typeof text | z.ZodString,
  value: Value,
  error: string,
) {
  return z.record(name, value.optional(), { error }).transform(presentValues<z.output<Value>>)
}

export const headers = byName(
  text.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'expected the name of a header' }),
  text.regex(/^[^\r\n\0]*$/, { error: 'expected a header value of one line' }),
  'expected an object of header names and values',
).optional()
