import { describe, expect, it } from 'vitest'
import { Numbering } from '../../src/run/numbering.ts'

const notice = () => ({ type: 'notice', level: 'info', code: 'tide', message: 'It turns.' }) as const

describe('every event gets a number and a time of its own', () => {
  it.each([
    ['frozen', Object.freeze],
    ['sealed', Object.seal],
    ['closed to new fields', Object.preventExtensions],
  ])('one that is %s, too, and no number is lost', (_how, close) => {
    const numbering = new Numbering('tiny-cli', { now: () => 7 })
    const events = [notice(), close(notice()), notice()].map((event) => numbering.number(event))
    expect(events).toEqual(
      [0, 1, 2].map((seq) => ({
        type: 'notice',
        level: 'info',
        code: 'tide',
        message: 'It turns.',
        seq,
        at: 7,
        adapter: 'tiny-cli',
      })),
    )
  })

  it('where a wire says the same object twice', () => {
    const numbering = new Numbering('tiny-cli', { now: () => 7 })
    const said = notice()
    const [first, second] = [numbering.number(said), numbering.number(said)]
    expect([first.seq, second.seq]).toEqual([0, 1])
  })
})
