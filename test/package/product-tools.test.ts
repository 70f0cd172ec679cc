import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { beforeAll, expect, test } from 'vitest'
import { ensureRealClis, newestClis } from '../../scripts/real-clis.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

beforeAll(() => ensureRealClis(console.error), 600_000)

test('the example has every CLI book the berth, with its five tools and, on codex, what cannot be taken away', async () => {
  const binaries = newestClis().flatMap(({ adapter, binary }) =>
    binary.map((word) => `--binary=${adapter}=${word}`),
  )
  const { exitCode, stdout } = await execa('node', ['examples/product-tools/run.mjs', ...binaries], {
    cwd: root,
    reject: false,
  })
  const cells = [...stdout.matchAll(/^│ \d+ +│ (.*) │$/gm)].map(([, row = '']) =>
    row.split('│').map((cell) => cell.trim()),
  )
  expect(cells.filter(([cli]) => cli !== "'cursor-cli'")).toEqual([
    ["'claude-code'", "'success'", '5', `'{"north":"Petrel"}'`, '1', "'booked'"],
    ["'codex-cli'", "'success'", '8', `'{"north":"Petrel"}'`, '1', "'booked'"],
    ["'pi-cli'", "'success'", '5', `'{"north":"Petrel"}'`, '1', "'booked'"],
  ])
  // The product refuses a berth that it does not have, and the model goes on.
  expect(stdout.match(/bridge\/book_berth: failed/g)).toHaveLength(3)
  expect(exitCode).toBe(0)
}, 180_000)
