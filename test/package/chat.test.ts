import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished, test } from 'vitest'

const installed = join(inject('consumer'), 'node_modules/coxswain/dist')

/** Python has a pseudo-terminal in its library, Node has none. */
const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0
const bridge = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'

const replies = [
  { text: 'I look around.', toolCalls: [{ name: 'shell', input: { command: 'echo ahoy > seen.txt' } }] },
  { text: Array.from({ length: 400 }, (_, index) => `${index} `) },
]

/** The installed command on a real pseudo-terminal, with the stand-in of Cursor's CLI. */
function chat() {
  const root = fileURLToPath(new URL('../../.cache', import.meta.url))
  mkdirSync(root, { recursive: true })
  const home = mkdtempSync(join(root, 'chat-'))
  const cwd = join(home, 'project')
  mkdirSync(cwd)
  const script = JSON.stringify({ replies, paceMs: 20 })
  const standIn = [process.execPath, join(installed, 'cursor-stand-in-process.js'), script]
  const words = ['chat', 'cursor', '--cwd', cwd, ...standIn.map((word) => `--binary=${word}`)]
  const child = spawn('python3', ['-c', bridge, process.execPath, join(installed, 'cli.js'), ...words], {
    env: { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, 'state'), TERM: 'xterm' },
    cwd: home,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await expect.poll(() => workingIn(home), { timeout: 10_000 }).toEqual([])
    rmSync(home, { recursive: true, force: true })
  })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  return {
    home,
    cwd,
    child,
    exited,
    type: (text: string) => child.stdin.write(text),
    until: (text: string) => expect.poll(() => shown, { timeout: 20_000 }).toContain(text),
    get shown() {
      return shown
    },
  }
}

/** Processes that work in this folder or below. Linux only. */
function workingIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
    } catch {
      return false
    }
  })
}

test.skipIf(!hasPython)(
  'chat on a pseudo-terminal (needs python3): asks, interrupts by a key, leaves, and gives the terminal back',
  async () => {
    const terminal = chat()
    await terminal.until('› ')
    terminal.type('Look around.\r')
    await terminal.until('I look around.')
    await terminal.until('denies it, with that as the reason.')
    terminal.type('y\r')
    await terminal.until('0 1 2 3')
    terminal.type('\u001b')
    await terminal.until('interrupted aborted')
    terminal.type('\u0004')
    const [code] = await terminal.exited
    expect(code).toBe(0)
    expect(readdirSync(terminal.cwd)).toContain('seen.txt')
    expect(workingIn(terminal.home)).toEqual([])
    // What is typed is echoed once: the terminal does not do it, too.
    expect(terminal.shown.split('Look around.')).toHaveLength(2)
  },
)

test.skipIf(!hasPython)(
  'a pseudo-terminal that goes away (needs python3) takes the chat and the CLI with it',
  async () => {
    const terminal = chat()
    await terminal.until('› ')
    terminal.type('Look around.\r')
    await terminal.until('denies it, with that as the reason.')
    expect(workingIn(terminal.cwd)).not.toEqual([])
    terminal.child.kill('SIGKILL')
    await expect.poll(() => workingIn(terminal.home), { timeout: 10_000 }).toEqual([])
  },
)
