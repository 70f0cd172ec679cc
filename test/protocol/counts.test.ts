import { expect, test } from 'vitest'
import { plausibleUsage } from '../../src/protocol/counts.ts'

const whole = { basis: 'turn', inputTokens: 9, cachedInputTokens: 4, cacheWriteTokens: 5 } as const

test.each([
  ['a whole that holds its parts', whole, whole],
  ['a fraction', { basis: 'turn', inputTokens: 1.5, outputTokens: 2 }, { basis: 'turn', outputTokens: 2 }],
  ['less than nothing', { basis: 'turn', inputTokens: -1 }, { basis: 'turn' }],
  ['more than a number can count', { basis: 'turn', outputTokens: 2 ** 53 }, { basis: 'turn' }],
  [
    'a sum that left the numbers',
    { basis: 'turn', outputTokens: Number.POSITIVE_INFINITY },
    { basis: 'turn' },
  ],
  ['parts above their whole', { ...whole, inputTokens: 8 }, { basis: 'turn', inputTokens: 8 }],
  [
    'more reasoning than output',
    { basis: 'turn', outputTokens: 1, reasoningTokens: 2 },
    { basis: 'turn', outputTokens: 1 },
  ],
  ['parts of an unknown whole', { basis: 'turn', reasoningTokens: 2 }, { basis: 'turn', reasoningTokens: 2 }],
] as const)('of the tokens that a CLI counts, only what can be true is said: %s', (_name, said, usage) => {
  expect(plausibleUsage(said)).toEqual(usage)
})
