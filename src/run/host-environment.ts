import { readFileSync } from 'node:fs'
import { readRow } from './process-table.js'

/** Where there is no /proc, the environment that a process began with is what `ps -E` shows. */
const atStart = Object.entries(process.env)
const hasProc = process.platform === 'linux'

/**
 * Where a child of ours could read this value without having been given it: in the environment or on the command line that this
 * process, or one above it, was started with. What was set later, or deleted, makes no difference there.
 */
export function whereHostShows(value: string): string | undefined {
  if (!hasProc) {
    const name = atStart.find(([, held]) => shows(held ?? '', value))?.[0]
    return name === undefined ? undefined : `${name} in the environment that this process was started with`
  }
  for (let pid = process.pid; pid > 0; pid = readRow(pid)?.parent ?? 0) {
    const whose = pid === process.pid ? 'this process' : `process ${pid}, one above this one,`
    const variable = entries(`/proc/${pid}/environ`, value).find((entry) => shows(entry, value))
    if (variable !== undefined) {
      const name = variable.slice(0, variable.indexOf('='))
      return `${name} in the environment that ${whose} was started with`
    }
    if (entries(`/proc/${pid}/cmdline`, value).some((entry) => shows(entry, value))) {
      return `the command line that ${whose} was started with`
    }
  }
  return undefined
}

/** None where the value is in none. What this process may not read, a child of it may not either. */
function entries(file: string, value: string): string[] {
  try {
    const text = readFileSync(file, 'utf8')
    return text.includes(value) ? text.split('\0') : []
  } catch {
    return []
  }
}

/** A short value is within many another by chance. */
function shows(entry: string, value: string): boolean {
  return value.length < 8 ? entry.slice(entry.indexOf('=') + 1) === value : entry.includes(value)
}
