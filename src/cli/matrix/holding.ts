import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** A command that runs until it is let go: at most 30 seconds. */
export class Holding {
  readonly command: string
  readonly prompt: string
  readonly #pidFile: string
  readonly #goFile: string

  constructor(cwd: string) {
    const name = randomBytes(4).toString('hex')
    this.#pidFile = join(cwd, `pid-${name}`)
    this.#goFile = join(cwd, `go-${name}`)
    // claude 2.1.332 refuses a sleep that stands alone.
    this.command = `echo $$ > pid-${name}; n=0; until [ -e go-${name} ] || [ $n -ge 300 ]; do n=$((n+1)); sleep 0.1; done; echo held`
    this.prompt = `Run exactly this command in your shell, once, in the foreground: ${this.command}\nThen say in one sentence that it is done.`
  }

  /** Before it is run again. */
  async forget(): Promise<void> {
    await Promise.all([this.#pidFile, this.#goFile].map((file) => rm(file, { force: true })))
  }

  async letGo(): Promise<void> {
    await writeFile(this.#goFile, '')
  }

  /** Its process id, as soon as it runs. undefined: the turn is over without that. */
  async begun(over: AbortSignal): Promise<number | undefined> {
    for (; !over.aborted; await wait(10)) {
      const text = await readFile(this.#pidFile, 'utf8').catch(() => '')
      if (text.endsWith('\n')) return Number(text)
    }
    return undefined
  }
}

/** Whether a process is gone within a moment. */
export async function isGone(pid: number, withinMs = 2_000): Promise<boolean> {
  for (const until = Date.now() + withinMs; ; await wait(10)) {
    if (!(await isAlive(pid))) return true
    if (Date.now() > until) return false
  }
}

async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A zombie has only its parent to wait for.
  return !/\) Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
}
