import { describe, expect, test } from 'vitest'
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
      environment: { ...process.env, ...ambient },
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
