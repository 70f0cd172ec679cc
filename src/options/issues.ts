import type { Issue } from '../errors.ts'

const longestName = 80
const deepestPath = 20
const longestMessage = 300

/** What is wrong at one place, in bounds: names and values in it may be a model's. */
export function issueAt(path: readonly string[], message: string): Issue {
  const names = path.map((name) =>
    name.length > longestName ? `(a name of ${name.length} characters)` : name,
  )
  const shown = names.length > deepestPath ? [...names.slice(0, deepestPath), '…'] : names
  return { path: shown.join('.'), message: oneLine(message) }
}

export function oneLine(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim()
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line
}
