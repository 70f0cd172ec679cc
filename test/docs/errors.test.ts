import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { errorCodes, isRetryableCode } from '../../src/errors.ts'
import { noticeSites } from './notice-sites.ts'
import { rowsOf } from './tables.ts'

const sites = noticeSites(fileURLToPath(new URL('../../src', import.meta.url)))
const notices = rowsOf('errors.md', '## Notices')

test('docs/errors.md has every error code, in the order of the list, and says of each whether it is retryable', () => {
  expect(rowsOf('errors.md', '## Codes').map(([code, , retry]) => [code, retry])).toEqual(
    errorCodes.map((code) => [code, isRetryableCode(code) ? 'yes' : 'no']),
  )
})

test('docs/errors.md has every notice code that the source makes, and no other', () => {
  expect(sites.length).toBeGreaterThan(70)
  const made = new Set(sites.flatMap(({ codes }) => codes))
  expect(notices.map(([code]) => code)).toEqual([...made].sort())
})

/** What the scan cannot tell: the level is that of the function which makes the notice, or the CLI's. */
const untold: Readonly<Record<string, string[]>> = {
  agent_notice: ['info'],
  approval_callback_failed: ['warning'],
  approval_denied: ['warning'],
  cli_message: ['info', 'warning'],
  extension_notice: ['error', 'info', 'warning'],
  interaction_expired: ['warning'],
  model_rerouted: ['warning'],
}

test.each(notices.map(([code = '', level = '']) => [code, level]))(
  '%s has the levels %s in the source',
  (code, level) => {
    const told = sites.filter(({ codes }) => codes.includes(code)).flatMap((site) => site.levels)
    const made = told.length > 0 ? [...new Set(told)].sort() : untold[code]
    expect(made).toEqual(level.split(', ').sort())
  },
)
