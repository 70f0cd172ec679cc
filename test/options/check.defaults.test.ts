import { describe, expect, it } from 'vitest'
import { checkTurnOptions } from '../../src/options/check.ts'
import type { TurnOptions } from '../../src/options/turn-options.ts'
import { poorCli, richCli } from './two-adapters.ts'

describe('what is right comes out with defaults filled in', () => {
  it('from the least that one can say', () => {
    expect(checkTurnOptions({ adapter: poorCli, prompt: 'hello' })).toEqual({
      adapter: poorCli,
      parsed: { adapter: poorCli, prompt: 'hello' },
      transport: 'structured',
      interactions: 'default',
      mcpServers: {},
      bridge: [],
      apiTransport: 'bridge_shell',
      launch: {
        prompt: [{ type: 'text', text: 'hello' }],
        promptExpansion: false,
        cwd: process.cwd(),
        systemPrompt: {},
        fork: false,
        approvals: 'deny',
        backgroundTasks: 'forbid',
        home: 'private',
        tools: { mode: 'native', deny: [], strict: false },
        mcpServers: {},
        projectConfiguration: 'ignore',
        projectInstructions: true,
        configuration: {},
        arguments: [],
      },
      conversations: 'keep',
      budgets: { lingerMs: 3000 },
      inherit: [],
      reserve: [],
      git: 'keep',
      credentials: 'inherit',
      billing: 'any',
      credentialExposure: 'auto',
      redact: { enabled: true, values: [] },
      includeRaw: false,
    })
  })

  it('with the neutral words of what is not there yet', () => {
    const options: TurnOptions = {
      adapter: poorCli,
      prompt: '--help',
      transport: 'auto',
      liveInput: 'optional',
      billing: 'any',
      credentialExposure: 'auto',
      projectConfiguration: 'ignore',
      sandbox: 'off',
      network: true,
      environment: process.env,
    }
    expect(checkTurnOptions(options).launch).toMatchObject({ sandbox: 'off', network: true })
  })

  it("with the adapter's first API, absolute paths, and nothing for what was undefined", () => {
    const { launch, conversations, binary, budgets, redact } = checkTurnOptions({
      adapter: richCli,
      prompt: [{ type: 'text', text: 'hello' }],
      endpoint: { url: 'http://127.0.0.1:1/v1', credential: undefined },
      home: { directory: 'home' },
      conversations: { directory: '/var/conversations' },
      binary: 'it',
      model: undefined,
      budgets: { totalMs: 5, idleMs: undefined },
      redact: ['hunter2'],
    })
    expect(launch.endpoint).toEqual({ url: 'http://127.0.0.1:1/v1', api: 'openai-responses' })
    expect(launch.home).toEqual({ directory: `${process.cwd()}/home` })
    expect(conversations).toEqual({ directory: '/var/conversations' })
    expect(binary).toEqual(['it'])
    expect(budgets).toEqual({ lingerMs: 3000, totalMs: 5 })
    expect(redact).toEqual({ enabled: true, values: ['hunter2'] })
    expect('model' in launch).toBe(false)
  })

  it('a flag that only begins like a reserved one is let through', () => {
    const flags = ['--model-provider', 'x', '--modelled=1']
    expect(checkTurnOptions({ adapter: richCli, prompt: 'x', arguments: flags }).launch.arguments).toEqual(
      flags,
    )
  })

  it('an image of several megabytes', () => {
    const data = 'QUJD'.repeat(2_000_000)
    const prompt = [
      { type: 'text', text: 'What is this?' },
      { type: 'image', mimeType: 'image/png', data },
    ]
    expect(checkTurnOptions({ adapter: richCli, prompt }).launch.prompt).toHaveLength(2)
  })

  it('an image without words, of which blank ones are none', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' }
    const blank = { type: 'text', text: ' \n' }
    for (const prompt of [[image], [blank, image, blank]]) {
      expect(checkTurnOptions({ adapter: richCli, prompt }).launch.prompt).toEqual([image])
    }
  })
})
