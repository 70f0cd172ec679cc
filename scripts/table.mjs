// `npm run table`: measures the newest of the pinned CLIs on both transports and writes docs/live.md.
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { buildForNewest, root } from './newest-clis.mjs'

const rounds = 10
const binaries = await buildForNewest()
const loadBefore = loadavg()[0]
const command = [
  'dist/cli.js',
  'matrix',
  '--markdown',
  `--rounds=${rounds}`,
  ...binaries,
  ...process.argv.slice(2),
]
const { status, stdout } = spawnSync(process.execPath, command, {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
})
console.log(stdout)
// Figures of a run that did not pass are no table.
if (status !== 0) process.exit(status ?? 1)

const load = [loadBefore, loadavg()[0]].map((value) => value.toFixed(1)).join(' before and ')
const head = `# What the live transport does

From \`npm run table\` on Node ${process.versions.node}, ${availableParallelism()} processors, load ${load} after. Each CLI is the real one, with a model server
on the loopback address in the place of its model; a stand-in is called one. Times are milliseconds as this machine has them: compare them with each other only.

- **Deltas and tools**: of one turn that thinks, says something, runs a command of the shell that writes a file, and answers with a table. It passes when the
  file is there, the model got to read what the shell said, the answer is the model's own, and every guarantee holds. What the CLI says of it counts for nothing.
- **MCP tool**: a function of the host's as the model's only tool, which writes a file too. \`unsupported\`: this CLI takes no MCP servers here.
- **First signal**: from the call that starts the process to the first text, thinking or tool call; **longest silence**: between two events after that.
- **Steer**: said while a tool runs. \`delivered\`: the model got it within the turn; \`queued\`: it became the next turn, all that ACP can do.
- **Interrupt**: from \`interrupt()\` to the completion, in mid-text and in a running tool, which must be gone; the conversation goes on. Medians of ${rounds}.
- **New process and second turn**: to the first fragment of the answer, from \`openSession()\` and from \`send()\`, by turns in the same minutes. Medians of ${rounds}. The aim: at least
  5 times faster on claude and pi.
- **Asked and answered**: the same command allowed and then denied by a callback; the file tells whether that was heard. pi asks through an extension.

`
await writeFile(new URL('../docs/live.md', import.meta.url), `${head}${stdout}`)
