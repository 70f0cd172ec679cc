import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll } from 'vitest'
import {
  type Adapter,
  type AgentEvent,
  defineAdapter,
  type Schema,
  type TurnOptions,
} from '../../src/index.ts'
import { startTappedTurn } from '../../src/run/turn.ts'
import type { Turn } from '../../src/run/turn-interface.ts'
import { tinyCli } from '../tiny-cli.ts'

/** A folder of this test file's own, gone when it is over. */
export const scratch = mkdtempSync(join(tmpdir(), 'coxswain-run-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
writeFileSync(join(scratch, 'package.json'), '{"name":"probe","version":"1.1.0"}')

const tiny = tinyCli()
/** The tiny CLI, whose version stands in a package.json so that no program of a test is run to tell it. */
export const probe: Adapter = defineAdapter({
  ...tiny,
  version: { ...tiny.version, packages: ['probe'] },
  // It asks for none, so that no turn of a test has to be told that it lacks one.
  credentials: [],
})

export const hello = '{"type":"hello","id":"talk-1"}'
export const say = (text: string) => JSON.stringify({ type: 'say', text })
export const said = '{"type":"said"}'
export const bye = '{"type":"bye"}'
/** A whole good turn, as a shell's here-document. */
export const goodTurn = [hello, say('All well.'), said, bye]

export function echo(...lines: string[]): string {
  return lines.map((line) => `printf '%s\\n' '${line}'`).join('\n')
}

let programs = 0

/** A program written in sh, as an executable file. */
export function shell(...lines: string[]): string {
  return executable(`#!/bin/sh\n${lines.join('\n')}\n`)
}

/** A program written in JavaScript, as a command. */
export function script(source: string): [string, string] {
  const file = join(scratch, `program-${++programs}.mjs`)
  writeFileSync(file, source)
  return [process.execPath, file]
}

export function executable(text: string, mode = 0o755): string {
  const file = join(scratch, `program-${++programs}`)
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

export function scratchFile(name: string): string {
  return join(scratch, `${++programs}-${name}`)
}

export function start(
  binary: string | [string, ...string[]],
  options: Partial<TurnOptions<Schema>> = {},
  tap?: Parameters<typeof startTappedTurn>[1],
): Turn<Schema> {
  return startTappedTurn(
    {
      adapter: probe,
      prompt: 'hello',
      binary,
      cwd: scratch,
      home: { directory: join(scratch, 'home') },
      conversations: { directory: join(scratch, 'talks') },
      ...options,
    },
    tap,
  )
}

export async function collect(turn: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of turn) events.push(event)
  return events
}

/** The pid that a program wrote, as soon as it did. */
export async function pidIn(file: string): Promise<number> {
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (text.endsWith('\n')) return Number(text)
    await delay(5)
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A zombie has only its parent to wait for.
  return !/\) Z /.test(existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '')
}

export async function gone(pid: number, withinMs = 5_000): Promise<boolean> {
  for (const until = Date.now() + withinMs; Date.now() < until; await delay(10))
    if (!isAlive(pid)) return true
  return false
}
