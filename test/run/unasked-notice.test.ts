import { expect, test } from 'vitest'
import { checkTurnOptions } from '../../src/options/check.ts'
import type { TurnOptions } from '../../src/options/turn-options.ts'
import { unaskedNotice } from '../../src/run/unasked-notice.ts'

test.each<[string, TurnOptions['approvals'], string | undefined]>([
  ['pi-cli', undefined, 'info'],
  ['pi-cli', 'deny', 'warning'],
  ['pi-cli', 'host', 'warning'],
  ['pi-cli', () => 'deny', 'warning'],
  ['pi-cli', 'approve-all', undefined],
  ['claude-code', 'deny', undefined],
  ['codex-cli', 'host', undefined],
])(
  'a turn of %s with approvals %s says with level %s that nobody will be asked',
  (adapter, approvals, level) => {
    expect(unaskedNotice(checkTurnOptions({ adapter, prompt: 'x', approvals }))?.level).toBe(level)
  },
)

test('it names the setting, and what keeps a tool from running all the same', () => {
  expect(unaskedNotice(checkTurnOptions({ adapter: 'pi-cli', prompt: 'x', approvals: 'host' }))).toEqual({
    level: 'warning',
    code: 'approvals_unasked',
    message:
      "pi asks before no tool: under approvals 'host', too, each runs at once. What must not run goes out of its reach with `tools`.",
  })
})
