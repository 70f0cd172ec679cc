import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTurn } from '../../src/index.ts'
import { namedClis } from './clis.ts'
import { Workbench } from './workbench.ts'

const signIn = {
  claudeAiOauth: {
    accessToken: 'planted-access',
    refreshToken: 'planted-refresh',
    expiresAt: Date.now() + 3_600_000,
    scopes: ['user:inference'],
  },
}

const claudes = namedClis.filter(([, cli]) => cli.adapter === 'claude-code')

describe.each(claudes)('%s, with a key in the environment beside a subscription', (_, cli) => {
  async function run(billing: 'api' | 'subscription') {
    const bench = await Workbench.open(cli, [{ text: 'Done.' }])
    const home = join(bench.folder, 'home')
    await mkdir(join(home, '.claude'), { recursive: true })
    await writeFile(join(home, '.claude/.credentials.json'), JSON.stringify(signIn))
    const { endpoint: _endpoint, ...options } = bench.options({ billing })
    const environment = {
      PATH: process.env.PATH,
      HOME: home,
      ANTHROPIC_API_KEY: 'sk-of-the-user',
      CLAUDE_CODE_OAUTH_TOKEN: 'planted-oauth',
      ANTHROPIC_BASE_URL: bench.server.url,
    }
    const { status, error } = await startTurn({ ...options, environment }).completion
    const heads = bench.server.requests
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => headers)
    return { status, code: error?.code, heads }
  }

  test("billing 'api' runs on the key, as was said, and the subscription is not touched", async () => {
    const { status, heads } = await run('api')
    expect(status).toBe('success')
    expect(heads.map((each) => each['x-api-key'])).toContain('sk-of-the-user')
    expect(JSON.stringify(heads)).not.toContain('planted')
  })

  test("billing 'subscription' starts nothing", async () => {
    expect(await run('subscription')).toEqual({ status: 'error', code: 'billing_mismatch', heads: [] })
  })
})
