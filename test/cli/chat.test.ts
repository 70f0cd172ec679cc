import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { chat } from '../../src/cli/chat.ts'
import { chatLines } from '../../src/cli/chat-lines.ts'
import { Keyboard } from '../../src/cli/keyboard.ts'
import type { SessionOptions } from '../../src/index.ts'
import { isAlive } from '../run/probe.ts'
import { tinyLiveCli, tinyLiveProgram } from '../tiny-live-cli.ts'
import { ChatTerminal, keys } from './chat-terminal.ts'

let terminal: ChatTerminal

function options(more: Partial<SessionOptions> = {}): SessionOptions {
  writeFileSync(join(terminal.home, 'package.json'), '{"name":"probe","version":"1.1.0"}')
  const program = join(terminal.home, 'live.mjs')
  writeFileSync(program, tinyLiveProgram)
  return {
    adapter: tinyLiveCli(),
    binary: [process.execPath, program],
    cwd: join(terminal.home, 'project'),
    environment: { ...terminal.io.environment },
    approvals: 'host',
    ...more,
  }
}

/** A chat that waits for its first prompt. */
async function begin(more: Partial<SessionOptions> = {}): Promise<{ code: Promise<number> }> {
  const code = chat(options(more), terminal.screen, { verbose: false })
  await terminal.until('› ')
  return { code }
}

/** The CLI's own process: its id is in the conversation's. */
const pid = () => Number(/talk-(\d+)/.exec(terminal.text)?.[1])

async function enter(text: string): Promise<void> {
  terminal.type(`${text}${keys.enter}`)
  await terminal.until(`${text}\n`)
}

beforeEach(() => {
  terminal = new ChatTerminal({ NO_COLOR: '1' })
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
    terminal = new ChatTerminal()
    const second = await begin()
    terminal.type(keys.ctrlD)
    await second.code
    expect(terminal.raw).toMatch(colours)
  })

  it('a CLI that dies ends the chat with 1', async () => {
    const { code } = await begin()
    await enter('say:Half die')
    await terminal.until('error crashed')
    expect(await code).toBe(1)
    expect(terminal.text).toContain('gone: The CLI of this session is gone')
  })

  it('a CLI that takes nobody in rejects, and leaves the terminal as it was', async () => {
    const refused = chat(options({ scope: { VAR_REFUSE: '1' } }), terminal.screen, { verbose: false })
    await expect(refused).rejects.toMatchObject({ code: 'auth' })
    expect(terminal.isRaw).toBe(false)
  })

  it.each(['SIGHUP', 'SIGTERM'] as const)('%s ends the turn, the chat and the CLI', async (signal) => {
    const { code } = await begin()
    await enter('say:Half wait')
    await terminal.until('Half')
    terminal.signal(signal)
    expect(await code).toBe(3)
    expect(isAlive(pid())).toBe(false)
  })

  it.each(['EIO', 'EPIPE'] as const)('a terminal that goes away (%s) ends them, too', async (code) => {
    const running = await begin()
    await enter('say:Half wait')
    await terminal.until('Half')
    terminal.hangUp(code)
    expect(await running.code).toBe(3)
    expect(isAlive(pid())).toBe(false)
    expect(await terminal.screen.out.finish()).toBeUndefined()
  })

  it('a terminal that will not be typed on any more ends them, too', async () => {
    const running = await begin()
    await enter('say:Half wait')
    await terminal.until('Half')
    terminal.endInput()
    expect(await running.code).toBe(3)
    expect(isAlive(pid())).toBe(false)
  })

  it('a second Ctrl-C does not wait for an interrupt, and a third not for the end', async () => {
    const { code } = await begin()
    await enter('say:Half hang')
    await terminal.until('Half')
    terminal.type(keys.ctrlC)
    terminal.type(keys.ctrlC)
    terminal.type(keys.ctrlC)
    expect(await code).toBe(0)
    expect(terminal.exited).toBe(130)
    expect(isAlive(pid())).toBe(false)
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

describe('a chat without a terminal', () => {
  beforeEach(() => {
    terminal = new ChatTerminal({}, false)
  })

  const run = (more: Partial<SessionOptions> = {}, json = false) =>
    chatLines(options({ approvals: 'deny', ...more }), terminal.screen, { verbose: false, json })

  it('takes every line for a prompt, one after the other, and nothing can wait', async () => {
    const code = run()
    terminal.type('say:One.\n\nask:q1\nsay:Three.\n')
    terminal.endInput()
    expect(await code).toBe(0)
    expect(terminal.text.split('\n').filter((line) => /^(One|deny|Three)/.test(line))).toEqual([
      'One.',
      'deny;',
      'Three.',
    ])
    expect(isAlive(pid())).toBe(false)
  })

  it('ends with the code of the first turn that failed, and goes on after it', async () => {
    const code = run()
    terminal.type('fail\nsay:Two.')
    terminal.endInput()
    expect(await code).toBe(1)
    expect(terminal.text).toContain('Two.\n')
  })

  it('prints the events with json', async () => {
    const code = run({}, true)
    terminal.type('say:One.\nsay:Two.\n')
    terminal.endInput()
    expect(await code).toBe(0)
    const events = terminal.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.filter(({ type }) => type === 'completion').map(({ text }) => text)).toEqual([
      'One.',
      'Two.',
    ])
  })

  it.each(['SIGTERM', 'EPIPE'])('%s ends it with 3 and leaves nothing', async (how) => {
    const code = run({}, true)
    terminal.type('say:Half wait\n')
    await terminal.until('Half')
    if (how === 'EPIPE') terminal.hangUp('EPIPE')
    else terminal.signal('SIGTERM')
    expect(await code).toBe(3)
    expect(isAlive(pid())).toBe(false)
  })
})
