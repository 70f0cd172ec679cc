import { beforeEach, describe, expect, it } from 'vitest'
import { Keyboard } from '../../src/cli/keyboard.ts'
import { keys } from './chat-terminal.ts'
import { begin, enter, sitDown, terminal } from './chatting.ts'

beforeEach(() => {
  sitDown({ NO_COLOR: '1' })
})

describe('a chat on a terminal', () => {
  it('what is typed while it works steers; the answer waits while one types', async () => {
    const { code } = await begin()
    await enter('say:One. steerable say:!')
    await terminal.until('One.')
    terminal.type('hard to port')
    expect(await terminal.until('» hard to port')).toBe('\n» hard to port')
    terminal.type(keys.enter)
    await terminal.until('hard to port!')
    await terminal.until('success')
    expect(terminal.text).toContain('↳ delivered')
    terminal.type(keys.ctrlD)
    expect(await code).toBe(0)
  })

  it('a steer that came too late is said to be queued, and its own turn is shown', async () => {
    const { code } = await begin()
    await enter('say:One. late')
    await terminal.until('One.')
    await enter('Two.')
    await terminal.until('↳ queued: it came too late for this turn, and is the next one')
    await terminal.until('Two.\nsuccess')
    await terminal.until('› ')
    terminal.type(keys.ctrlD)
    expect(await code).toBe(0)
  })

  it('a steer that the turn did not take in is said to be rejected, and can be had back', async () => {
    const { code } = await begin()
    await enter('say:Half wait')
    await terminal.until('Half')
    await enter('say:More.')
    terminal.type(keys.escape)
    await terminal.until('↳ rejected: The turn was over before the CLI took it in.')
    await terminal.until('› ')
    terminal.type(`${keys.up}${keys.enter}`)
    await terminal.until('More.\nsuccess')
    terminal.type(keys.ctrlD)
    expect(await code).toBe(0)
  })

  it('what was typed and not sent stays through an interrupt', async () => {
    const { code } = await begin()
    await enter('say:Half wait')
    await terminal.until('Half')
    terminal.type('say:Next')
    await terminal.until('» say:Next')
    terminal.type(keys.escape)
    await terminal.until('interrupted aborted')
    await terminal.until('› say:Next')
    await enter('.')
    await terminal.until('Next.\nsuccess')
    terminal.type(keys.ctrlD)
    expect(await code).toBe(0)
  })

  it('a text that is deleted again steers nothing, and the answer goes on', async () => {
    const { code } = await begin()
    await enter('say:One. steerable')
    await terminal.until('One.')
    terminal.type(`x${keys.backspace}`)
    await terminal.until('» x')
    await enter('Two.')
    await terminal.until('Two.')
    await terminal.until('success')
    terminal.type(keys.ctrlD)
    expect(await code).toBe(0)
  })

  it('a pasted text of several lines is one prompt', async () => {
    const { code } = await begin()
    terminal.type('\u001b[200~say:One.\nsteerable\u001b[201~')
    terminal.type(keys.enter)
    // The line break is no space to the tiny CLI: all of it is one word.
    await terminal.until('One.\nsteerable\nsuccess')
    terminal.type(keys.ctrlD)
    expect(await code).toBe(0)
  })
})

it('while one types nothing else is shown, and once it is sent it is', async () => {
  const nothing = () => {}
  const listeners = { escape: nothing, interrupt: nothing, leave: nothing }
  const keyboard = new Keyboard(terminal.io, terminal.screen.out, listeners)
  const taken: string[] = []
  keyboard.listen('» ', (line) => taken.push(line))
  terminal.type('port')
  await terminal.until('» port')
  const quiet = keyboard.quiet().then(() => taken.push('quiet'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(taken).toEqual([])
  terminal.type(keys.enter)
  await quiet
  expect(taken).toEqual(['port', 'quiet'])
  keyboard.close()
})

it('a secret that is typed is on the terminal at no time, and not among what the Up key brings back', async () => {
  const nothing = () => {}
  const listeners = { escape: nothing, interrupt: nothing, leave: nothing }
  const keyboard = new Keyboard(terminal.io, terminal.screen.out, listeners)
  const secret = keyboard.read('code › ', { isSecret: true })
  terminal.type(`hushh${keys.backspace}${keys.enter}${keys.up}x${keys.enter}`)
  expect([await secret, await keyboard.read('next › ')]).toEqual(['hush', 'x'])
  keyboard.close()
  expect(terminal.text).toBe('code › \nnext › x\n')
})
