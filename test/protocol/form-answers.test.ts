import { expect, test } from 'vitest'
import { formAnswers } from '../../src/protocol/form-answers.ts'

test.each([
  ['string', '3', '3'],
  ['string', ['a', 'b'], 'a, b'],
  ['number', '2.5', 2.5],
  ['integer', '3', 3],
  ['integer', 'three', 'three'],
  ['integer', ' ', ' '],
  ['number', 'Infinity', 'Infinity'],
  ['boolean', 'true', true],
  ['boolean', 'Yes', true],
  ['boolean', 'no', false],
  ['array', 'x', ['x']],
  ['array', ['x', 'y'], ['x', 'y']],
  [undefined, '3', '3'],
])('an answer is of the type that the form wants: %s %j', (type, answer, value) => {
  expect(formAnswers({ a: answer }, { type: 'object', properties: { a: { type } } })).toEqual({ a: value })
})

test('an answer that the form did not ask for stays as it is', () => {
  expect(formAnswers({ a: '1', toString: '2' }, { properties: {} })).toEqual({ a: '1', toString: '2' })
  expect(formAnswers({ a: '1' }, {})).toEqual({ a: '1' })
})
