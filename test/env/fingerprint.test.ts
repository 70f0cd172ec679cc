import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { environmentFingerprint } from '../../src/env.ts'

test('an undeclared, an empty and a full scope have three fingerprints', () => {
  const three = [undefined, {}, { SECRET_A: '1' }].map(environmentFingerprint)
  expect(new Set(three).size).toBe(3)
})

describe('the fingerprint changes', () => {
  const before = { SECRET_A: '1', VAR_B: '2' }
  test.each([
    ['when a value rotates', { SECRET_A: '9', VAR_B: '2' }],
    ['when a name is added', { SECRET_A: '1', VAR_B: '2', VAR_C: '3' }],
    ['when a name is removed', { SECRET_A: '1' }],
    ['when two values change places', { SECRET_A: '2', VAR_B: '1' }],
  ])('%s', (_title, after) => {
    expect(environmentFingerprint(after)).not.toBe(environmentFingerprint(before))
  })
})

test('neither the order nor a blank makes a difference', () => {
  expect(environmentFingerprint({ VAR_B: '2', SECRET_A: '1', VAR_C: '' })).toBe(
    environmentFingerprint({ SECRET_A: '1', VAR_B: '2' }),
  )
})

test('it is 64 hexadecimal digits', () => {
  expect(environmentFingerprint({ SECRET_A: 'x' })).toMatch(/^[0-9a-f]{64}$/)
})

test('a refused name is refused here, too', () => {
  expect(() => environmentFingerprint({ PATH: '/bin' })).toThrow('"PATH"')
})

test('two scopes have one fingerprint only if they grant the same', () => {
  // Few characters, digits and separators among them, so that a missing length prefix would show.
  const name = fc
    .array(fc.constantFrom('A', 'B', '1', '_'), { maxLength: 3 })
    .map((all) => `VAR_X${all.join('')}`)
  const value = fc.array(fc.constantFrom('A', 'B', '1', ';', ':', 'VAR_X', '\ud800', '\ufffd'), {
    minLength: 1,
    maxLength: 3,
  })
  const scope = fc.dictionary(
    name,
    value.map((all) => all.join('')),
    { maxKeys: 3 },
  )
  fc.assert(
    fc.property(scope, scope, (one, other) => {
      const isSame =
        JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())
      expect(environmentFingerprint(one) === environmentFingerprint(other)).toBe(isSame)
    }),
    {
      numRuns: 500,
      examples: [
        [{ VAR_XA: 'B1' }, { VAR_XAB: '1' }],
        [{ VAR_XA: 'A', VAR_XB: 'B' }, { VAR_XA: 'AVAR_XBB' }],
        [{ VAR_XA: '\ud800' }, { VAR_XA: '\ufffd' }],
      ],
    },
  )
})
