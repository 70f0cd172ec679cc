// Prints the figures of docs/performance.md; with --write puts them there. Ratios within one run only: machines are noisy.
import { writeFile } from 'node:fs/promises'
import { longLine } from './bench/long-line.mjs'
import { overhead } from './bench/overhead.mjs'
import { slowConsumer } from './bench/slow-consumer.mjs'
import { throughput } from './bench/throughput.mjs'

const parts = { throughput, 'long-line': longLine, 'slow-consumer': slowConsumer, overhead }
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const chosen = wanted.length === 0 ? Object.keys(parts) : wanted

const sections = []
let failed = false
for (const name of chosen) {
  const part = parts[name]
  if (!part) {
    console.error(`There is no benchmark "${name}". Known: ${Object.keys(parts).join(', ')}.`)
    process.exit(2)
  }
  const { title, note, header, rows, ok } = await part()
  if (!ok) failed = true
  const table = [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
  const section = `## ${title}\n\n${note}\n\n${table}\n`
  sections.push(section)
  console.log(section)
}

if (process.argv.includes('--write')) {
  const head = `# Performance\n\nFrom \`npm run bench -- --write\` on Node ${process.versions.node}. Every figure is a ratio within one run, paired and alternated, medians.\n`
  await writeFile(new URL('../docs/performance.md', import.meta.url), [head, ...sections].join('\n'))
}
process.exit(failed ? 1 : 0)
