// Prints the figures of docs/performance.md; with --write puts them there. Ratios within one run only: machines are noisy.
import { writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { longLine } from './bench/long-line.mjs'
import { overhead } from './bench/overhead.mjs'
import { slowConsumer } from './bench/slow-consumer.mjs'
import { throughput } from './bench/throughput.mjs'

const parts = { throughput, 'long-line': longLine, 'slow-consumer': slowConsumer, overhead }
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const chosen = wanted.length === 0 ? Object.keys(parts) : wanted

const sections = []
const outcomes = { met: [], missed: [], 'not decided': [] }
for (const name of chosen) {
  const part = parts[name]
  if (!part) {
    console.error(`There is no benchmark "${name}". Known: ${Object.keys(parts).join(', ')}.`)
    process.exit(2)
  }
  const { title, note, header, rows } = await part()
  for (const row of rows) outcomes[row.at(-1)]?.push(`${title}, ${row[0]}`)
  const table = [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
  const section = `## ${title}\n\n${note}\n\n${table}\n`
  sections.push(section)
  console.log(section)
}

const summary = Object.entries(outcomes)
  .filter(([outcome, which]) => which.length > 0 && outcome !== 'met')
  .map(([outcome, which]) => `Aims ${outcome}: ${which.join('; ')}.`)
  .join(' ')
const verdict = `${outcomes.met.length} aims are met. ${summary}`.trim()
console.log(verdict)

if (process.argv.includes('--write')) {
  const load = `${loadavg()[1].toFixed(1)} on ${availableParallelism()} processors`
  const head = `# Performance\n\nFrom \`npm run bench -- --write\` on Node ${process.versions.node}, load ${load}. Every figure is a ratio within one run, paired and alternated. An aim is not decided where the noise of the machine is wider than the distance to it.\n\n${verdict}\n`
  await writeFile(new URL('../docs/performance.md', import.meta.url), [head, ...sections].join('\n'))
}
process.exit(outcomes.missed.length > 0 ? 1 : 0)
