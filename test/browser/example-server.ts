import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newestClis } from '../../scripts/real-clis.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The example as a user starts it, with the pinned CLIs and a home of its own. */
export class ExampleServer {
  readonly url: string
  /** Where the CLIs work. */
  readonly cwd: string
  readonly #child: ChildProcess
  readonly #home: string

  private constructor(child: ChildProcess, home: string, url: string, cwd: string) {
    this.#child = child
    this.#home = home
    this.url = url
    this.cwd = cwd
  }

  static async start(): Promise<ExampleServer> {
    mkdirSync(join(root, '.cache'), { recursive: true })
    const home = mkdtempSync(join(root, '.cache/browser-'))
    const binaries = newestClis().flatMap(({ adapter, binary }) =>
      binary.map((word) => `--binary=${adapter}=${word}`),
    )
    const child = spawn(process.execPath, ['examples/browser-chat/server.mjs', ...binaries], {
      cwd: root,
      env: { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'state') },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    for await (const chunk of child.stdout) {
      said += chunk
      const [, url, cwd] = /^Open (\S+)\n.* work in (\S+)\./s.exec(said) ?? []
      if (url !== undefined && cwd !== undefined) return new ExampleServer(child, home, url, cwd)
    }
    throw new Error(`The example did not start: ${said}`)
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  /** Processes that work in its folder: CLIs, and what they started. Linux only. */
  running(): string[] {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && cwdOf(name) === this.cwd)
  }

  /** As Ctrl-C does. Resolves with its exit code. */
  async close(): Promise<number | null> {
    if (this.#child.exitCode === null) {
      const exited = once(this.#child, 'exit')
      this.#child.kill('SIGINT')
      await exited
    }
    rmSync(this.#home, { recursive: true, force: true })
    return this.#child.exitCode
  }
}

function cwdOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '')
  } catch {
    return undefined
  }
}
