import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { codexCli } from '../../../src/adapters/codex-cli.ts'
import { checkTurnOptions } from '../../../src/options/check.ts'
import { launch, settings } from './exec-launching.ts'

describe('an endpoint', () => {
  const endpoint = {
    url: 'http://127.0.0.1:4000/v1/',
    credential: 'secret-1',
    headers: { 'X-Team': 'secret-2', 'X-Other': 'b' },
  }

  it('is a provider of its own; what is secret of it is in the environment alone', () => {
    const planned = launch('0.171.0', { endpoint })
    expect(settings('0.171.0', { endpoint })).toEqual({
      approval_policy: 'never',
      model_provider: 'coxswain',
      model_providers: {
        coxswain: {
          name: 'coxswain',
          base_url: 'http://127.0.0.1:4000/v1',
          wire_api: 'responses',
          env_key: 'COXSWAIN_ENDPOINT_KEY',
          env_http_headers: {
            'X-Team': 'COXSWAIN_ENDPOINT_HEADER_0',
            'X-Other': 'COXSWAIN_ENDPOINT_HEADER_1',
          },
        },
      },
    })
    expect(planned.environment).toEqual({
      COXSWAIN_ENDPOINT_KEY: 'secret-1',
      COXSWAIN_ENDPOINT_HEADER_0: 'secret-2',
      COXSWAIN_ENDPOINT_HEADER_1: 'b',
    })
    expect(JSON.stringify([planned.arguments, planned.files])).not.toContain('secret')
  })

  it('without a credential gets a dummy, since codex does not start without one', () => {
    expect(launch('0.171.0', { endpoint: { url: 'http://h/v1' } }).environment).toEqual({
      COXSWAIN_ENDPOINT_KEY: 'none',
    })
  })
})

describe('configuration', () => {
  it('is merged in, over what keeps the home private and under what options own', () => {
    const { content } = launch('0.171.0', {
      endpoint: { url: 'http://h/v1' },
      configuration: {
        web_search: 'disabled',
        features: { apps: true, goals: false },
        model_providers: { coxswain: { request_max_retries: 1 } },
      },
    }).files[0] ?? { content: '' }
    expect(parse(content)).toEqual({
      check_for_update_on_startup: false,
      web_search: 'disabled',
      approval_policy: 'never',
      model_provider: 'coxswain',
      skills: { include_instructions: false, bundled: { enabled: false } },
      features: { apps: true, plugins: false, remote_plugin: false, shell_snapshot: false, goals: false },
      shell_environment_policy: {
        ignore_default_excludes: true,
        exclude: ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'COXSWAIN_ENDPOINT_*', 'COXSWAIN_MCP_*'],
      },
      model_providers: {
        coxswain: {
          name: 'coxswain',
          base_url: 'http://h/v1',
          wire_api: 'responses',
          env_key: 'COXSWAIN_ENDPOINT_KEY',
          request_max_retries: 1,
        },
      },
    })
  })

  it('that TOML has no form for is refused', () => {
    expect(() => launch('0.171.0', { configuration: { web_search: null } })).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining('web_search') }),
    )
  })

  it.each([
    [{ model: 'x' }, 'model'],
    [{ approval_policy: 'never' }, 'approvals'],
    [{ sandbox_mode: 'read-only' }, 'sandbox'],
    [{ sandbox_workspace_write: { network_access: true } }, 'network'],
    [{ developer_instructions: 'x' }, 'systemPrompt'],
    [{ mcp_servers: { x: {} } }, 'mcpServers'],
    [{ projects: { '/w': { trust_level: 'trusted' } } }, 'projectConfiguration'],
    [{ model_provider: 'x' }, 'endpoint'],
    [{ model_providers: { coxswain: { base_url: 'x' } } }, 'endpoint'],
    [{ profile: 'x' }, 'configuration'],
  ])('%j belongs to an option', (configuration, option) => {
    expect(() => checkTurnOptions({ adapter: codexCli, prompt: 'x', configuration })).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(`\`${option}\``) }),
    )
  })

  it.each([
    [['-m', 'x'], 'model'],
    [['-mx'], 'model'],
    [['--config=model="x"'], 'configuration'],
    [['-c', 'x=1'], 'configuration'],
    [['--yolo'], 'approvals'],
    [['-C/x'], 'cwd'],
    [['--json'], 'transport'],
    [['--ephemeral'], 'conversations'],
    [['--trust'], 'projectConfiguration'],
  ])('%j belongs to an option', (flags, option) => {
    expect(() => checkTurnOptions({ adapter: codexCli, prompt: 'x', arguments: flags })).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(`\`${option}\``) }),
    )
  })
})
