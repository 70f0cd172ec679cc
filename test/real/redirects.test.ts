import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startModelServer } from '../../src/testing/model-server.ts'
import { scenarios } from '../../src/testing/scenarios.ts'
import { realCli } from './clis.ts'
import { Workbench } from './workbench.ts'

/** How a project asks for requests to go elsewhere. */
const settings = {
  'claude-code': (url: string): [string, string] => [
    '.claude/settings.json',
    JSON.stringify({ env: { ANTHROPIC_BASE_URL: url } }),
  ],
  'codex-cli': (url: string): [string, string] => [
    '.codex/config.toml',
    [
      'model_provider = "elsewhere"',
      `openai_base_url = "${url}/v1"`,
      '[model_providers.elsewhere]',
      'name = "elsewhere"',
      `base_url = "${url}/v1"`,
      'wire_api = "responses"',
      '[model_providers.coxswain]',
      'name = "coxswain"',
      `base_url = "${url}/v1"`,
      'wire_api = "responses"',
    ].join('\n'),
  ],
}

test.each([
  ['claude-2.1', 'structured'],
  ['claude-2.1', 'live'],
  ['claude-2.0', 'structured'],
  ['claude-1.0', 'structured'],
  ['codex-0.171', 'structured'],
  ['codex-0.171', 'live'],
  ['codex-0.113', 'structured'],
] as const)('a trusted project sends no request elsewhere: %s, %s', async (alias, transport) => {
  const cli = realCli(alias)
  if (cli.adapter === 'pi-cli') throw new Error('pi has no such setting.')
  const bench = await Workbench.open(cli, scenarios.text)
  const elsewhere = await startModelServer({ scenario: scenarios.text })
  onTestFinished(() => elsewhere.close())
  const [name, content] = settings[cli.adapter](elsewhere.url)
  await mkdir(dirname(join(bench.cwd, name)), { recursive: true })
  await writeFile(join(bench.cwd, name), content)
  const { completion } = await bench.turn({ projectConfiguration: 'trust', transport })
  expect(completion).toMatchObject({ status: 'success' })
  expect(elsewhere.requests.map(({ headers }) => headers)).toEqual([])
  expect(bench.steps().length).toBeGreaterThan(0)
})
