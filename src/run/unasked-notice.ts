import type { CheckedOptions } from '../options/check.ts'
import type { TurnNotice } from './turn-notice.ts'

/** What a caller who counts on being asked, or on a denial, should know of a CLI that asks before nothing. */
export function unaskedNotice({ adapter, parsed }: CheckedOptions): TurnNotice | undefined {
  const { approvals } = parsed
  if (!adapter.capabilities.asksNothing || approvals === 'approve-all') return undefined
  const given = typeof approvals === 'function' ? 'a callback' : `'${approvals ?? 'deny'}'`
  return {
    // The default is nobody's choice.
    level: approvals === undefined ? 'info' : 'warning',
    code: 'approvals_unasked',
    message: `${adapter.title} asks before no tool: under approvals ${given}, too, each runs at once. What must not run goes out of its reach with \`tools\`.`,
  }
}
