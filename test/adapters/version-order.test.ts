import { expect, test } from 'vitest'
import { isAtLeast } from '../../src/adapters/version-order.ts'

test.each([
  ['1.0.0', '1.0.0', true],
  ['1.0.9', '1.0.10', false],
  ['2.0.0', '1.99.99', true],
  ['v2.0.0', '2.0.0', true],
  ['2026.01.28-abc', '2026.1.28', true],
  ['2026.01.27-abc', '2026.01.28', false],
  ['0.171.0', '0.55.0', true],
  ['1.0.0-beta.1', '1.0.0', true],
  ['1.4', '1.4.1', false],
  ['unknown', '1.0.0', undefined],
])('%s is at least %s: %s', (version, floor, expected) => {
  expect(isAtLeast(version, floor)).toBe(expected)
})
