import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openaiResponses } from '../../src/testing/openai-responses.ts'
import { type RealCli, realCli } from './clis.ts'
import { fourteenTools } from './harbour.ts'
import { Workbench } from './workbench.ts'

const newest = realCli('codex-0.171')
const older = realCli('codex-0.113')

/** The models that codex's own program tells of. */
async function modelsOf({ binary }: RealCli): Promise<string[]> {
  const root = dirname(dirname(binary.at(-1) ?? ''))
  const program = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => join(root, path))
    .find((path) => path.endsWith('/bin/codex') && statSync(path).size > 5_000_000)
  if (program === undefined) throw new Error(`There is no program below ${root}.`)
  const { stdout } = await promisify(execFile)('grep', ['-aoE', '"slug": *"[^"]+"', program])
  return [...new Set([...stdout.matchAll(/"slug": *"([^"]+)"/g)].map(([, slug = '']) => slug))]
}

/** What codex offers such a model besides the tools of `bridge`. */
async function residueFor(cli: RealCli, model: string): Promise<string[]> {
  const bench = await Workbench.open(cli, [{ text: 'Aye.' }])
  const { completion } = await bench.turn({
    model,
    bridge: fourteenTools().tools,
    tools: { mode: 'mcp_only' },
  })
  expect(completion.error).toBeUndefined()
  const offered = bench.steps().flatMap(({ body }) => openaiResponses.read(body).tools)
  const isServed = ({ name, namespace = '' }: { name: string; namespace?: string }) =>
    `${namespace}__${name}`.includes('mcp__bridge__')
  expect(offered.filter(isServed)).toHaveLength(14)
  return offered.filter((tool) => !isServed(tool)).map(({ name }) => name)
}

/** The names in the first column of the README's table. */
function residueTold(): string[] {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, table = ''] =
    /\| offered besides your tools in `mcp_only` \| to whom \|[^\n]*\n\|[-|]+\|\n((?:\|[^\n]*\n)+)/.exec(
      readme,
    ) ?? []
  return table.split('\n').flatMap((row) => {
    const [, names = ''] = row.split('|')
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  })
}

test('codex offers in mcp_only, to whatever model, what the README says and nothing else', async () => {
  const models = await modelsOf(newest)
  expect(models.length).toBeGreaterThan(5)
  const seen = new Set<string>()
  for (const [cli, model] of [
    ...['mock-model', ...models].map((each) => [newest, each] as const),
    ...['mock-model', 'gpt-5.4'].map((each) => [older, each] as const),
  ]) {
    for (const name of await residueFor(cli, model)) seen.add(name)
  }
  expect([...seen].sort()).toEqual(residueTold().sort())
})
