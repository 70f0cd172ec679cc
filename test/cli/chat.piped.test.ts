import { beforeEach, describe, expect, it } from 'vitest'
import { chatLines } from '../../src/cli/chat-lines.ts'
import type { SessionOptions } from '../../src/index.ts'
import { isAlive } from '../run/probe.ts'
import { options, pid, sitDown, terminal } from './chatting.ts'

describe('a chat without a terminal', () => {
  beforeEach(() => {
    sitDown({}, false)
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
