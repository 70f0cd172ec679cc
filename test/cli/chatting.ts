import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chat } from '../../src/cli/chat.ts'
import type { SessionOptions } from '../../src/index.ts'
import { tinyLiveCli, tinyLiveProgram } from '../tiny-live-cli.ts'
import { ChatTerminal, keys } from './chat-terminal.ts'

/** The one that somebody sits at: each test has its own. */
export let terminal: ChatTerminal

export function sitDown(environment: Record<string, string> = {}, isTTY = true): void {
  terminal = new ChatTerminal(environment, isTTY)
}

export function options(more: Partial<SessionOptions> = {}): SessionOptions {
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
export async function begin(more: Partial<SessionOptions> = {}): Promise<{ code: Promise<number> }> {
  const code = chat(options(more), terminal.screen, { verbose: false })
  await terminal.until('› ')
  return { code }
}

/** The CLI's own process: its id is in the conversation's. */
export const pid = () => Number(/talk-(\d+)/.exec(terminal.text)?.[1])

export async function enter(text: string): Promise<void> {
  terminal.type(`${text}${keys.enter}`)
  await terminal.until(`${text}\n`)
}
