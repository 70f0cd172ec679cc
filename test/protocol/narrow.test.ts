import { expect, test } from 'vitest'
import { asContent, asLine, asWord, lookUp } from '../../src/protocol/narrow.ts'

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', '', undefined])(
  'a table has no entry for %s',
  (word) => {
    expect(lookUp({ bash: 'execute' }, word)).toBeUndefined()
    expect(lookUp({ bash: 'execute' }, 'bash')).toBe('execute')
  },
)

test.each([
  [1, 1],
  [0, undefined],
  [-3, undefined],
  [1.5, undefined],
  [1e300, undefined],
  ['7', undefined],
])('%s is the line %s of a file', (value, line) => {
  expect(asLine(value)).toBe(line)
})

test.each([
  ['ahoy', 'ahoy'],
  [7, '7'],
  [undefined, 'undefined'],
  [{ toString: 1 }, '{"toString":1}'],
  [[{ toString: '' }], '[{"toString":""}]'],
])('%j is the word %s', (value, word) => {
  expect(asWord(value)).toBe(word)
})

test.each([
  ['Ahoy.', [{ type: 'text', text: 'Ahoy.' }]],
  [
    [{ type: 'text', text: 'Ahoy.' }, 7],
    [{ type: 'text', text: 'Ahoy.' }, 7],
  ],
  [[], []],
  [{ text: 'Ahoy.' }, undefined],
  [undefined, undefined],
])('%j is the content %j of a message', (value, content) => {
  expect(asContent(value)).toEqual(content)
})
