import { createReadStream, type Dirent } from 'node:fs'
import { lstat, opendir, readlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream'
import { createInflate } from 'node:zlib'
import type { SecretMatcher } from '../protocol/secret-matcher.ts'

/** What a look through a workspace may cost: all of it, and one file. */
const mostEntries = 50_000
const mostBytes = 256 * 1024 * 1024
const mostBytesOfFile = 64 * 1024 * 1024
const longestMs = 10_000

/** No form of a token is as long. */
const longestTail = 65_536

/** What was found. Paths are relative to the workspace, with the token taken out of them. */
export interface TokenTraces {
  files: string[]
  /** What has it in its name, or leads to such a name: "the folder a/b". */
  names: string[]
  /** Not everything was looked at. */
  isCutShort: boolean
}

/**
 * A search through what was written in a workspace since then. What was written and removed again is not seen, nor what is
 * compressed (but for single objects of git), encrypted, or elsewhere; links are not followed.
 */
export class TokenSearch {
  readonly #matcher: SecretMatcher
  readonly #since: number
  readonly #found: TokenTraces = { files: [], names: [], isCutShort: false }
  readonly #until = Date.now() + longestMs
  #entries = 0
  #bytes = 0

  constructor(matcher: SecretMatcher, since: number) {
    this.#matcher = matcher
    this.#since = since
  }

  /** Never rejects: what cannot be read is nobody's to read. */
  async through(workspace: string): Promise<TokenTraces> {
    const folders = [workspace]
    // What lies at the top is looked at first: most of what is deep is others'.
    for (const folder of folders) {
      const directory = await opendir(folder).catch(() => undefined)
      if (!directory) continue
      try {
        for await (const entry of directory) {
          const path = join(folder, entry.name)
          if (++this.#entries > mostEntries || this.#isSpent()) return this.#ended(true)
          if (entry.isDirectory()) folders.push(path)
          await this.#lookAt(entry, path, relative(workspace, path))
        }
      } catch {
        // It was removed meanwhile.
      }
    }
    return this.#ended(false)
  }

  #ended(isCutShort: boolean): TokenTraces {
    this.#found.isCutShort ||= isCutShort
    this.#found.files.sort()
    this.#found.names.sort()
    return this.#found
  }

  #isSpent(): boolean {
    return this.#bytes > mostBytes || Date.now() > this.#until
  }

  async #lookAt(entry: Dirent, path: string, shown: string): Promise<void> {
    const status = await lstat(path).catch(() => undefined)
    // A file that was moved or copied with its time keeps an old one: what the file system noted last counts.
    if (!status || Math.max(status.mtimeMs, status.ctimeMs) < this.#since) return
    const kind = entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'file'
    const target = kind === 'link' ? await readlink(path).catch(() => '') : ''
    if (this.#isIn(entry.name) || this.#isIn(target)) {
      this.#found.names.push(`the ${kind} ${this.#matcher.replace(shown)}`)
    }
    if (entry.isFile() && (await this.#isInFile(path))) {
      this.#found.files.push(this.#matcher.replace(shown))
    }
  }

  #isIn(text: string): boolean {
    return this.#matcher.matches(text).length > 0
  }

  async #isInFile(path: string): Promise<boolean> {
    return (
      (gitObject.test(path) && (await this.#isInContent(inflated(path)))) ||
      (await this.#isInContent(createReadStream(path, 'utf8')))
    )
  }

  async #isInContent(content: AsyncIterable<unknown>): Promise<boolean> {
    let tail = ''
    let length = 0
    let isFound = false
    try {
      for await (const chunk of content) {
        const text = tail + String(chunk)
        const { held } = this.#matcher.scan(text, 0, false, () => {
          isFound = true
        })
        if (isFound) return true
        tail = text.slice(Math.max(held, text.length - longestTail))
        length += text.length
        this.#bytes += text.length
        if (length <= mostBytesOfFile && !this.#isSpent()) continue
        this.#found.isCutShort = true
        return false
      }
    } catch {
      // It cannot be read, or is no object of git after all.
    }
    return false
  }
}

/** An object of git's own, of its content as it was written: it stays when the file that was committed is gone. */
const gitObject = /[/\\]objects[/\\][0-9a-f]{2}[/\\][0-9a-f]{38,62}$/

function inflated(path: string): AsyncIterable<unknown> {
  // Errors of either end the iteration.
  return pipeline(createReadStream(path), createInflate(), () => {}).setEncoding('utf8')
}
