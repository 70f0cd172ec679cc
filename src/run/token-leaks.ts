import { createReadStream } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** What a look through a workspace may cost. */
const mostEntries = 50_000
const mostBytes = 512 * 1024 * 1024

export interface TokenSearch {
  /** Relative to the workspace. */
  files: string[]
  /** Not everything was looked at. */
  cutShort: boolean
}

/** The files of a workspace that were written since then and hold one of the tokens. */
export async function findTokens(
  workspace: string,
  tokens: readonly string[],
  since: number,
): Promise<TokenSearch> {
  const found: TokenSearch = { files: [], cutShort: false }
  let entries = 0
  let bytes = 0
  const folders = [workspace]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const { path, size, isFolder, changed } of entriesOf(folder)) {
      if (++entries > mostEntries) return { ...found, cutShort: true }
      if (isFolder) folders.push(path)
      else if (changed >= since) {
        bytes += size
        if (bytes > mostBytes) return { ...found, cutShort: true }
        if (await holds(path, tokens)) found.files.push(relative(workspace, path))
      }
    }
  }
  found.files.sort()
  return found
}

interface Entry {
  path: string
  size: number
  isFolder: boolean
  changed: number
}

/** Without links: what they lead to is elsewhere, or is looked at there. What cannot be read is nobody's to read. */
async function* entriesOf(folder: string): AsyncGenerator<Entry> {
  const directory = await opendir(folder).catch(() => undefined)
  if (!directory) return
  for await (const entry of directory) {
    if (!entry.isFile() && !entry.isDirectory()) continue
    const path = join(folder, entry.name)
    const status = await lstat(path).catch(() => undefined)
    if (!status) continue
    // A file that was moved or copied with its time keeps an old one: what the file system noted last counts.
    const changed = Math.max(status.mtimeMs, status.ctimeMs)
    yield { path, size: status.size, isFolder: entry.isDirectory(), changed }
  }
}

async function holds(path: string, tokens: readonly string[]): Promise<boolean> {
  const longest = Math.max(...tokens.map((token) => token.length))
  let tail = ''
  try {
    for await (const chunk of createReadStream(path, 'latin1')) {
      const text = tail + String(chunk)
      if (tokens.some((token) => text.includes(token))) return true
      tail = text.slice(-longest)
    }
  } catch {
    return false
  }
  return false
}
