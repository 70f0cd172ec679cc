import { beforeEach, describe, expect, it } from 'vitest'
import { chat } from '../../src/cli/chat.ts'
import { isAlive } from '../run/probe.ts'
import { keys } from './chat-terminal.ts'
import { begin, enter, options, pid, sitDown, terminal } from './chatting.ts'

beforeEach(() => {
  sitDown({ NO_COLOR: '1' })
})

describe('a chat on a terminal', () => {
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
