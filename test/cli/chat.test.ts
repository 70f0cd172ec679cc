import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { isAlive } from '../run/probe.ts'
import { tinyLiveProgram } from '../tiny-live-cli.ts'
import { keys } from './chat-terminal.ts'
import { begin, enter, pid, sitDown, terminal } from './chatting.ts'

beforeEach(() => {
  sitDown({ NO_COLOR: '1' })
})

describe('a chat on a terminal', () => {
  it('shows turn after turn of one session, says once whose it is, and leaves with Ctrl-D', async () => {
    const { code } = await begin()
    expect(terminal.isRaw).toBe(true)
    await enter('say:Ahoy!')
    await terminal.until('tiny-cli · new session talk-')
    await terminal.until('Ahoy!\nsuccess')
    await terminal.until('› ')
    await enter('say:Again.')
    expect(await terminal.until('Again.\nsuccess')).not.toContain('session')
    await terminal.until('› ')
    terminal.type(keys.ctrlD)
    expect(await code).toBe(0)
    expect(terminal.text).toMatch(/To go on with it: --resume talk-\d+\n$/)
    expect(terminal.isRaw).toBe(false)
    expect(isAlive(pid())).toBe(false)
  })

  it.each([
    ['1', 'allow;', '  allow\n'],
    ['y', 'allow;', '  allow\n'],
    ['2', 'cancel;', '  cancel\n'],
    ['not that file', 'deny;', '  deny\n'],
    ['7\r1', 'allow;', '  allow\n'],
  ])('asks what the CLI asks: %j makes it %j', async (typed, said, shown) => {
    const { code } = await begin()
    await enter('ask:q1')
    expect(await terminal.until('1-2 › ')).toMatch(
      /\? May I\?\n {2}1 {2}Yes {3}this once\n {2}2 {2}Stop {2}not this time, and the turn ends here\n {2}Any other text denies it/,
    )
    terminal.type(`${typed}${keys.enter}`)
    await terminal.until(shown)
    await terminal.until(said)
    await terminal.until('› ')
    terminal.type(keys.ctrlC)
    expect(await code).toBe(0)
  })

  it('asks one after the other what is asked at once, and asks no more what the CLI has withdrawn', async () => {
    const { code } = await begin()
    await enter('asks:q1 ask:q2')
    await terminal.until('1-2 › ')
    await enter('y')
    await terminal.until('1-2 › ')
    await enter('n')
    await terminal.until('1-2 › ')
    await enter('no, never')
    await terminal.until('deny;')
    await terminal.until('› ')
    await enter('asks:q4 withdraw:q4 say:On.')
    await terminal.until('cancel (the CLI asks no more)')
    await terminal.until('On.')
    await terminal.until('› ')
    terminal.type(keys.ctrlD)
    expect(await code).toBe(0)
  })

  it.each([
    ['Esc', keys.escape],
    ['Ctrl-C', keys.ctrlC],
  ])('%s interrupts the turn; the session goes on', async (_name, key) => {
    const { code } = await begin()
    await enter('say:Half wait')
    await terminal.until('Half')
    terminal.type(key)
    await terminal.until('interrupted aborted')
    await terminal.until('› ')
    await enter('say:Whole.')
    await terminal.until('Whole.\nsuccess')
    await terminal.until('› ')
    terminal.type(keys.ctrlC)
    expect(await code).toBe(0)
    expect(isAlive(pid())).toBe(false)
  })

  it('an interrupt while something is asked ends the asking, too', async () => {
    const { code } = await begin()
    await enter('asks:q1 wait')
    await terminal.until('1-2 › ')
    terminal.type(keys.escape)
    await terminal.until('interrupted aborted')
    await terminal.until('› ')
    await enter('say:On.')
    await terminal.until('On.\nsuccess')
    terminal.type(keys.ctrlD)
    expect(await code).toBe(0)
  })

  it('nothing of a text reaches the terminal that would steer it', async () => {
    const program = join(terminal.home, 'rude.mjs')
    writeFileSync(program, tinyLiveProgram.replaceAll("'May I?'", String.raw`'May I\u001b[2J?'`))
    const { code } = await begin({ binary: [process.execPath, program] })
    await enter('ask:q1')
    await terminal.until('May I\ufffd[2J?')
    terminal.type(`x\u009b${keys.enter}`)
    await terminal.until('Give a number')
    for (const rude of ['\u001b[2J', '\u009b']) expect(terminal.raw).not.toContain(rude)
    terminal.type(keys.ctrlD)
    expect(await code).toBe(0)
  })

  it('colours are off with NO_COLOR, and on without', async () => {
    const { code } = await begin()
    await enter('say:One. fail')
    await terminal.until('error overloaded')
    terminal.type(keys.ctrlD)
    await code
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
    const colours = /\u001b\[\d+m/
    expect(terminal.raw).not.toMatch(colours)
    sitDown()
    const second = await begin()
    terminal.type(keys.ctrlD)
    await second.code
    expect(terminal.raw).toMatch(colours)
  })
})
