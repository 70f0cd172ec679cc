// Records the fixtures from the real CLIs and the loopback model server. Run `npm run build` first; then write the
// .expect.json of what is new by hand, run `npm run fixtures:update`, and review the diff.
//
//   node scripts/record-fixtures.mjs [alias ...] [--case name]
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { record, scenarios, startModelServer } from '../dist/testing.js'
import { ensureRealClis, realClis } from './real-clis.mjs'

/** An old and a new one of each, both scopes of pi and both forms of its wire among them. */
const recorded = ['claude-2.1', 'claude-2.0', 'codex-0.171', 'codex-0.113', 'pi-1.6', 'pi-0.73']

const cases = {
  text: scenarios.text,
  tool: scenarios.toolTurn,
  'parallel-tools': scenarios.parallelTools,
  'several-steps': scenarios.severalSteps,
  'non-ascii': scenarios.nonAscii,
  unauthorized: scenarios.unauthorized,
  'rate-limited': scenarios.rateLimited,
  'server-error': scenarios.serverError,
  'overloaded-once': scenarios.overloadedOnce,
  'connection-cut': scenarios.connectionCut,
  'connection-cut-once': scenarios.connectionCutOnce,
  'empty-answer': scenarios.emptyAnswer,
  'max-tokens': scenarios.maxTokens,
  refusal: scenarios.refusal,
  'big-tool-output': scenarios.bigToolOutput,
}

const apis = { 'claude-code': 'anthropic', 'codex-cli': 'openai-responses', 'pi-cli': 'openai-chat' }

/** One retry shows what a retry looks like; ten take minutes. */
const impatience = {
  'claude-code': {
    environment: { ...process.env, CLAUDE_CODE_MAX_RETRIES: '1' },
    inherit: ['CLAUDE_CODE_MAX_RETRIES'],
  },
  'codex-cli': {},
  'pi-cli': { configuration: { retry: { enabled: true, maxRetries: 1, baseDelayMs: 100 } } },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { case: { type: 'string', multiple: true } },
})
await ensureRealClis()
// pi 1.x tells the model where its own documentation lies.
const installed = await realpath(fileURLToPath(new URL('../test/clis/node_modules', import.meta.url)))
const wanted = positionals.length > 0 ? positionals : recorded
for (const cli of realClis.filter(({ alias }) => wanted.includes(alias))) {
  for (const [name, scenario] of Object.entries(cases)) {
    if (values.case && !values.case.includes(name)) continue
    await recordCase(cli, name, scenario)
  }
}

async function recordCase(cli, name, scenario) {
  const server = await startModelServer({ scenario })
  // Not below the temporary directory, where codex refuses to work.
  const cache = fileURLToPath(new URL('../.cache/', import.meta.url))
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'record-'))
  const cwd = join(folder, 'project')
  await mkdir(cwd)
  try {
    const { completion, replaced } = await record({
      directory: fileURLToPath(new URL(`../fixtures/${cli.adapter}/${cli.version}`, import.meta.url)),
      name,
      replacements: [{ what: 'installation', text: installed, by: '/opt/clis' }],
      turn: {
        adapter: cli.adapter,
        prompt: 'Do what the model says.',
        binary: [...cli.binary],
        endpoint: server.endpointFor(apis[cli.adapter]),
        cwd,
        conversations: { directory: join(folder, 'conversations') },
        approvals: 'approve-all',
        ...impatience[cli.adapter],
      },
    })
    const replacements = replaced.map(({ what, count }) => `${what} x${count}`).join(', ')
    console.log(
      `${cli.alias} ${name}: ${completion.status} ${completion.error?.code ?? ''} [${replacements}]`,
    )
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}
