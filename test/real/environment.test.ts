import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTurn } from '../../src/index.ts'
import { namedClis } from './clis.ts'
import { Workbench } from './workbench.ts'

const ambient = {
  SECRET_OF_ANOTHER_TENANT: 'ambient-secret-value',
  MCP_API_TOKEN: 'ambient-token-value',
  OPENAI_API_KEY: 'sk-ambient-openai',
  ANTHROPIC_API_KEY: 'sk-ambient-anthropic',
  GITHUB_TOKEN: 'ghp-ambient',
  CLAUDECODE: '1',
}

describe.each(namedClis)('%s', (_, cli) => {
  test("the model's shell sees what was granted, and nothing of the host's secrets", async () => {
    const bench = await Workbench.open(cli, [
      { toolCalls: [{ name: 'shell', input: { command: 'env' } }] },
      { text: 'Looked around.' },
    ])
    const { events, completion } = await bench.turn({
      environment: { ...bench.environment, ...ambient },
      scope: { SECRET_MINE: 'granted-secret', VAR_PLACE: 'harbour', MCP_CUSTOM: 'http://127.0.0.1:9/custom' },
    })
    expect(completion.status).toBe('success')
    const seen = bench.server.requests.flatMap((request) => request.toolResults).join('\n')
    expect(seen).toContain('SECRET_MINE=granted-secret')
    expect(seen).toContain('VAR_PLACE=harbour')
    expect(seen).toContain('MCP_CUSTOM=http://127.0.0.1:9/custom')
    for (const value of Object.values(ambient).filter((value) => value.length > 1)) {
      expect(seen).not.toContain(value)
    }
    expect(JSON.stringify(events)).not.toContain('granted-secret')
    expect(JSON.stringify(events)).toContain('[redacted:SECRET_MINE]')
  })
})

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
