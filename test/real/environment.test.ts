import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startTurn } from '../../src/index.ts'
import { cursorStandIn } from '../../src/testing/cursor-stand-in.ts'
import type { Scenario } from '../../src/testing/scenario.ts'
import { ambientOfAnother, ambientSettings, scopedPart, scopes } from '../scope-contract.ts'
import { namedClis, type RealCli, realClis } from './clis.ts'
import { stateRoot, Workbench } from './workbench.ts'

/** Secrets of the host's own, which no child may see. */
const hostSecrets = {
  OPENAI_API_KEY: 'sk-ambient-openai',
  ANTHROPIC_API_KEY: 'sk-ambient-anthropic',
  GITHUB_TOKEN: 'ghp-ambient',
  ANTHROPIC_AUTH_TOKEN: 'sk-ambient-bearer',
  CLAUDE_CODE_OAUTH_TOKEN: 'sk-ambient-oauth',
  CODEX_API_KEY: 'sk-ambient-codex',
  CODEX_ACCESS_TOKEN: 'sk-ambient-codex-access',
  CLAUDECODE: '1',
}

const ambient = { ...ambientOfAnother, ...ambientSettings, ...hostSecrets, TOOLCHAIN_ROOT: '/opt/tools' }

/** The command lines of the shell and of all that is above it. */
const commandLines = `p=$$; while [ "$p" -gt 1 ]; do tr '\\0' ' ' < /proc/$p/cmdline; echo; p=$(sed -n 's/^PPid:\\s*//p' /proc/$p/status); done`

const looksAround: Scenario = [
  { toolCalls: [{ name: 'shell', input: { command: 'env' } }] },
  { toolCalls: [{ name: 'shell', input: { command: commandLines } }] },
  { text: 'Looked around.' },
]

/** What `env` printed. */
function environmentIn(output: string): Record<string, string> {
  const pairs = [...output.matchAll(/^([A-Za-z_]\w*)=(.*)$/gm)]
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
}

const newest = namedClis.filter(
  ([, { adapter, alias }]) => realClis.find((cli) => cli.adapter === adapter)?.alias === alias,
)

describe.each(namedClis)('%s', (_, cli) => {
  // Of the older versions, the full scope only.
  const those = newest.some(([, each]) => each === cli)
    ? scopes
    : scopes.filter(({ title }) => title === 'declared, full')

  test.each(those)(
    "the model's shell has what a scope that is $title grants, and nothing of another tenant",
    async ({ scope, has }) => {
      const bench = await Workbench.open(cli, looksAround)
      const home = join(bench.folder, 'home')
      await plantSignIn(cli.adapter, home)
      const endpoint = { ...bench.server.endpointFor(bench.api), credential: 'sk-endpoint-of-mine' }
      const { completion } = await bench.turn({
        environment: { PATH: process.env.PATH, HOME: home, ...ambient },
        endpoint,
        redact: false,
        ...(scope && { scope }),
      })
      expect(completion.status).toBe('success')
      const [seen = '', lines = ''] = bench.server.requests.at(-1)?.toolResults ?? []
      expect(scopedPart(environmentIn(seen))).toEqual(has)
      expect(environmentIn(seen).TOOLCHAIN_ROOT).toBe('/opt/tools')
      for (const value of Object.values(hostSecrets).filter((value) => value.length > 1)) {
        expect(seen).not.toContain(value)
      }
      // The endpoint sees its own credential, never the user's sign-in or an ambient key.
      const heads = JSON.stringify(bench.server.requests.map(({ headers }) => headers))
      expect(heads).toContain(endpoint.credential)
      expect(heads).not.toMatch(/planted|ambient|eyJhbGciOiJub25l/)
      // No secret on a command line, of the CLI or of what it started.
      expect(lines.split('\n').filter((line) => line.trim() !== '').length).toBeGreaterThan(2)
      for (const value of [...Object.values(has), ...Object.values(ambient), endpoint.credential]) {
        if (value.length > 1) expect(lines).not.toContain(value)
      }
    },
  )
})

describe.each(newest)('%s', (_, cli) => {
  test('what was granted is hidden in the events, while the CLI has it', async () => {
    const bench = await Workbench.open(cli, looksAround)
    const { events } = await bench.turn({ scope: { SECRET_MINE: 'granted-secret' } })
    expect(bench.server.requests.at(-1)?.toolResults.join('\n')).toContain('SECRET_MINE=granted-secret')
    expect(JSON.stringify(events)).not.toContain('granted-secret')
    expect(JSON.stringify(events)).toContain('[redacted:SECRET_MINE]')
  })
})

describe("cursor's stand-in", () => {
  test.each(scopes)(
    'its shell has what a scope that is $title grants, and nothing of another tenant',
    async ({ scope, has }) => {
      const folder = await mkdtemp(join(stateRoot, 'cursor-scope-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      const turn = startTurn({
        adapter: 'cursor-cli',
        prompt: 'Do what the model says.',
        binary: cursorStandIn({
          replies: [{ toolCalls: [{ name: 'shell', input: { command: 'env' } }] }, { text: 'Looked.' }],
        }),
        cwd: folder,
        environment: { PATH: process.env.PATH, HOME: folder, ...ambient },
        conversations: { directory: join(folder, 'talks') },
        approvals: 'approve-all',
        redact: false,
        ...(scope && { scope }),
      })
      const outputs: string[] = []
      for await (const event of turn)
        if (event.type === 'tool' && event.phase === 'end') outputs.push(event.output ?? '')
      expect((await turn.completion).status).toBe('success')
      const seen = environmentIn(outputs.join('\n'))
      expect(scopedPart(seen)).toEqual(has)
      for (const name of Object.keys(hostSecrets)) expect(seen).not.toHaveProperty(name)
    },
  )
})

/** A sign-in of each CLI in the user's HOME, as that CLI writes it. The codex token begins with 'eyJhbGciOiJub25l'. */
async function plantSignIn(adapter: RealCli['adapter'], home: string): Promise<void> {
  const { file, content } = signInOf(adapter)
  await mkdir(dirname(join(home, file)), { recursive: true })
  await writeFile(join(home, file), JSON.stringify(content))
}

function signInOf(adapter: RealCli['adapter']): { file: string; content: object } {
  const later = Date.now() + 3_600_000
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url')
  const account = { chatgpt_plan_type: 'plus', chatgpt_user_id: 'u', chatgpt_account_id: 'planted-account' }
  const jwt = `${part({ alg: 'none' })}.${part({ email: 'planted@example.com', exp: 4_102_444_800, 'https://api.openai.com/auth': account })}.c2ln`
  switch (adapter) {
    case 'claude-code':
      return {
        file: '.claude/.credentials.json',
        content: {
          claudeAiOauth: {
            accessToken: 'planted-access',
            refreshToken: 'planted-refresh',
            expiresAt: later,
            scopes: ['user:inference'],
          },
        },
      }
    case 'codex-cli':
      return {
        file: '.codex/auth.json',
        content: {
          auth_mode: 'chatgpt',
          OPENAI_API_KEY: null,
          tokens: {
            id_token: jwt,
            access_token: jwt,
            refresh_token: 'planted-refresh',
            account_id: 'planted-account',
          },
          last_refresh: new Date().toISOString(),
        },
      }
    case 'pi-cli': {
      const oauth = { type: 'oauth', access: 'planted-access', refresh: 'planted-refresh', expires: later }
      const key = { type: 'api_key', key: 'planted-key' }
      return { file: '.pi/agent/auth.json', content: { anthropic: oauth, openai: key, coxswain: key } }
    }
  }
}

const claudes = namedClis.filter(([, cli]) => cli.adapter === 'claude-code')

describe.each(claudes)('%s', (_, cli) => {
  test("K14: the sign-in in the user's HOME is not found from a private home that must not have it", async () => {
    const bench = await Workbench.open(cli, [{ text: 'Never asked.' }])
    const home = join(bench.folder, 'user-home')
    await mkdir(join(home, '.claude'), { recursive: true })
    const token = { accessToken: 'sk-ant-oat01-planted', refreshToken: 'sk-ant-ort01-planted' }
    const signIn = { ...token, expiresAt: Date.now() + 3_600_000, scopes: ['user:inference'] }
    await writeFile(join(home, '.claude/.credentials.json'), JSON.stringify({ claudeAiOauth: signIn }))
    const { endpoint: _endpoint, ...options } = bench.options({ credentials: 'none' })
    // With the planted sign-in claude would try to reach its API, and fail for want of a network.
    const environment = { PATH: process.env.PATH, HOME: home, HTTPS_PROXY: 'http://127.0.0.1:1' }
    const { status, error } = await startTurn({ ...options, environment }).completion
    expect({ status, code: error?.code }).toEqual({ status: 'error', code: 'auth' })
  })
})
