import { z } from 'zod'
import { isObject, oneOf, text } from './kinds.ts'
import { guarded } from './plain-data.ts'
import { turnOptionsSchema } from './schema.ts'

/** The shape of `ReplayOptions`. */

const stdout = z.custom<Iterable<unknown> | AsyncIterable<unknown>>(
  (value) =>
    typeof value === 'string' ||
    (isObject(value) && guarded(() => Symbol.iterator in value || Symbol.asyncIterator in value) === true),
  { error: 'expected an iterable of chunks' },
)

export const replayOptionsSchema = z.strictObject({
  adapter: turnOptionsSchema.shape.adapter,
  transport: oneOf('structured', 'live').optional(),
  stdout,
  exit: z
    .strictObject(
      {
        exitCode: z.int({ error: 'expected a whole number or null' }).nullable(),
        signal: z.string({ error: 'expected a text or null' }).nullable(),
        stderr: text.optional(),
      },
      { error: 'expected { exitCode, signal, stderr? }' },
    )
    .optional(),
  cliVersion: text.optional(),
  options: turnOptionsSchema.partial().optional(),
})
