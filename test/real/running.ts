import { readdirSync, readFileSync } from 'node:fs'

/** Ids of the processes with exactly this command line. Linux only. */
export function running(command: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandLine(name) === command)
    .map(Number)
}

function commandLine(id: string): string | undefined {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').join(' ').trim()
  } catch {
    return undefined
  }
}
