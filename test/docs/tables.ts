import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The rows of the tables below a heading of a page, without their heads; a first cell that is code, without its ticks. */
export function rowsOf(page: string, heading: string): string[][] {
  const text = readFileSync(fileURLToPath(new URL(`../../docs/${page}`, import.meta.url)), 'utf8')
  const [, section = ''] = text.split(`\n${heading}\n`)
  const [body = ''] = section.split('\n## ')
  return body
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    )
    .map(([first = '', ...more]) => [first.replaceAll('`', ''), ...more])
}
