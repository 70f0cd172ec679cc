import { describe, expect, test } from 'vitest'
import { scrubEnvironment } from '../../src/env.ts'

function fate(name: string, value: string) {
  const { environment, report } = scrubEnvironment({ [name]: value })
  const [entry] = report
  return { passes: Object.hasOwn(environment, name), rule: entry?.rule }
}

describe('the rule that drops', () => {
  const rows: [name: string, value: string, rule: string][] = [
    ['GITHUB_TOKEN', 'x', 'secret_name'],
    ['openai_api_key', 'x', 'provider'],
    ['db_password', 'x', 'secret_name'],
    ['COXSWAIN_TURN', 'x', 'own'],
    ['coxswain_future', 'x', 'own'],
    ['SECRET_A', 'x', 'scope'],
    ['MCP_API_URL', 'x', 'scope'],
    ['CLAUDECODE', '1', 'agent'],
    ['CLAUDE_CODE_ENTRYPOINT', 'cli', 'agent'],
    ['CLAUDE_CODE_SSE_PORT', '1', 'agent'],
    ['CLAUDE_CODE_OAUTH_TOKEN', 'x', 'agent'],
    ['CLAUDE_CODE_USE_BEDROCK', '1', 'agent'],
    ['CLAUDE_CONFIG_DIR', '/x', 'agent'],
    ['CURSOR_AGENT', '1', 'agent'],
    ['CURSOR_TRACE_ID', 'x', 'agent'],
    ['CODEX_SANDBOX', 'seatbelt', 'agent'],
    ['CODEX_HOME', '/x', 'agent'],
    ['PI_CODING_AGENT_DIR', '/x', 'agent'],
    ['AI_AGENT', 'x', 'agent'],
    ['GEMINI_CLI', '1', 'agent'],
    ['ANTHROPIC_LOG', 'debug', 'provider'],
    ['ANTHROPIC_BASE_URL', 'http://x', 'provider'],
    ['ANTHROPIC_MODEL', 'x', 'provider'],
    ['OPENAI_BASE_URL', 'http://x', 'provider'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://x', 'telemetry'],
    ['TRACEPARENT', '00-x', 'telemetry'],
    ['BASH_FUNC_which%%', '() {  echo; }', 'shell_function'],
    ['ANY', '() { :; }; echo', 'shell_function'],
    ['DATABASE_URL', 'postgres://user:pass@host/db', 'url_credentials'],
    ['REDIS_URL', 'redis://:pass@host:6379', 'url_credentials'],
    ['SENTRY_DSN', 'https://0123456789abcdef@o1.ingest.example.com/2', 'url_credentials'],
    ['MYSQL_DSN', 'user:pass@tcp(host:3306)/db', 'url_credentials'],
    ['JDBC_URL', 'jdbc:mysql://host/db?user=u&password=p', 'url_credentials'],
    ['GIT_REMOTE', 'https://x-access-token:abc@example.com/a.git', 'url_credentials'],
    ['GOPROXY', 'https://u:p@goproxy.example.com', 'url_credentials'],
    // Names without regard to case, everywhere.
    ['claudecode', '1', 'agent'],
    ['mcp_api_url', 'x', 'scope'],
    ['Secret_A', 'x', 'scope'],
    ['Otel_Service_Name', 'x', 'telemetry'],
    ['anthropic_base_url', 'http://x', 'provider'],
    ['Bash_Func_x%%', 'x', 'shell_function'],
    // What a server keeps for itself.
    ['AUTH_SECRET', 'x', 'secret_name'],
    ['ACCESS_PASSWORD', 'x', 'secret_name'],
    ['AUTH_USERS', 'x', 'secret_name'],
    ['GLOBAL_SECRET_X', 'x', 'secret_name'],
    ['GOG_KEYRING_PASSWORD', 'x', 'secret_name'],
    ['CAPLAYER_SERVICE_TOKEN_FILE', '/x', 'secret_name'],
    ['GATEWAY_HUMAN_TOKEN', 'x', 'secret_name'],
    ['LANGFUSE_SECRET_KEY', 'x', 'secret_name'],
    ['X_AUTH_Y', 'x', 'secret_name'],
    ['AMQP_URL', 'amqp://user:pass@host', 'url_credentials'],
    ['GEMINI_CLI_IDE_SERVER_PORT', '1', 'agent'],
    ['CODEX_THREAD_ID', 'x', 'agent'],
    ['TRACESTATE', 'x', 'telemetry'],
    ['', 'x', 'malformed'],
    ['A=B', 'x', 'malformed'],
    ['A\0B', 'x', 'malformed'],
    ['A', 'x\0y', 'malformed'],
  ]
  test.each(rows)('%j=%j is %s', (name, value, rule) => {
    expect(fate(name, value)).toEqual({ passes: false, rule })
  })
})

describe('what passes', () => {
  const rows: [name: string, value: string, rule: string][] = [
    ['PATH', '/usr/bin', 'ordinary'],
    ['HOME', '/home/u', 'ordinary'],
    ['SSH_AUTH_SOCK', '/run/ssh', 'ordinary'],
    ['AWS_REGION', 'eu-west-1', 'ordinary'],
    ['NODE_EXTRA_CA_CERTS', '/etc/ca.pem', 'ordinary'],
    ['CODEX_CA_CERTIFICATE', '/etc/ca.pem', 'ordinary'],
    ['AWS_PROFILE', 'dev', 'ordinary'],
    ['AZURE_REGION', 'westeurope', 'ordinary'],
    ['GPG_AGENT_INFO', '/run/gpg', 'ordinary'],
    ['aws_region', 'eu-west-1', 'ordinary'],
    ['TOKENIZER', 'x', 'ordinary'],
    ['SECRETARY_NOTES', 'x', 'ordinary'],
    ['APIARY', 'x', 'ordinary'],
    ['KEYBOARD_LAYOUT', 'de', 'ordinary'],
    // What a continuous integration tells of itself is no secret, unlike its tokens.
    ['GITHUB_ACTIONS', 'true', 'ordinary'],
    ['GH_PAGER', 'cat', 'ordinary'],
    // Nothing in these says what they are: a host that keeps some of its own names them in `reserve`.
    ['VAULT_ADDR', 'https://vault', 'ordinary'],
    ['SUPABASE_URL', 'https://x.example.com', 'ordinary'],
    ['DATABASE_URL', 'postgres://host/db', 'ordinary'],
    ['SITE_URL', 'https://example.com/@user', 'ordinary'],
    ['GIT_REMOTE', 'ssh://git@example.com/a.git', 'ordinary'],
    ['MAIL', 'someone@example.com', 'ordinary'],
    ['VAR_A', 'x', 'ordinary'],
    ['EMPTY', '', 'ordinary'],
    ['HTTPS_PROXY', 'http://u:p@proxy:8080', 'proxy_credentials'],
    ['all_proxy', 'socks5://u:p@proxy:1080', 'proxy_credentials'],
    ['npm_config_https_proxy', 'http://u:p@proxy:8080', 'proxy_credentials'],
    ['HTTPS_PROXY', 'http://proxy:8080', 'ordinary'],
  ]
  test.each(rows)('%s=%s by the rule %s', (name, value, rule) => {
    expect(fate(name, value)).toEqual({ passes: true, rule })
  })
})

test('the order and the spelling of what passes stay, and the base is not touched', () => {
  const base = Object.freeze({ Zeta: '1', GH_TOKEN: 'x', alpha: '2', GONE: undefined })
  const { environment, report } = scrubEnvironment(base)
  expect(Object.entries(environment)).toEqual([
    ['Zeta', '1'],
    ['alpha', '2'],
  ])
  expect(report).toEqual([
    { name: 'Zeta', fate: 'kept', rule: 'ordinary' },
    { name: 'GH_TOKEN', fate: 'dropped', rule: 'secret_name' },
    { name: 'alpha', fate: 'kept', rule: 'ordinary' },
  ])
})

describe('inherit', () => {
  test('restores what the scrub would drop, in any spelling', () => {
    const base = {
      GH_TOKEN: 'x',
      OTEL_SERVICE_NAME: 'y',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: '1',
      DATABASE_URL: 'a://b:c@d',
    }
    const inherit = ['gh_token', 'OTEL_SERVICE_NAME', 'CLAUDE_CODE_MAX_OUTPUT_TOKENS', 'DATABASE_URL']
    const { environment, report } = scrubEnvironment(base, { inherit })
    expect(environment).toEqual(base)
    expect(report.map((entry) => entry.rule)).toEqual(['inherit', 'inherit', 'inherit', 'inherit'])
  })

  test('makes up nothing that the base does not have, and says so', () => {
    expect(scrubEnvironment({ A: '1' }, { inherit: ['MISSING_TOKEN', 'A'] })).toEqual({
      environment: { A: '1' },
      report: [
        { name: 'A', fate: 'kept', rule: 'ordinary' },
        { name: 'MISSING_TOKEN', fate: 'absent', rule: 'absent' },
      ],
    })
  })

  test.each([
    'COXSWAIN_TURN',
    'SECRET_A',
    'VAR_A',
    'MCP_API_TOKEN',
    'MCP_TIMEOUT',
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'CODEX_API_KEY',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'RESERVED_NAME',
    'HARNESS_ANYTHING',
    '',
    'A=B',
  ])('refuses %j, by name', (name) => {
    const scrub = () =>
      scrubEnvironment({}, { inherit: ['PATH', name], reserve: ['RESERVED_NAME', 'HARNESS_*'] })
    expect(scrub).toThrow(`inherit can never pass on ${JSON.stringify(name)}.`)
    expect(scrub).toThrow(expect.objectContaining({ code: 'environment_key_refused' }))
  })
})

test('reserve drops more names, and whole prefixes', () => {
  const base = { SSH_AUTH_SOCK: '/run/ssh', HARNESS_MCP_OAUTH: 'x', HARNESSED: 'y', Harness_Other: 'z' }
  expect(scrubEnvironment(base, { reserve: ['SSH_AUTH_SOCK', 'HARNESS_*'] })).toEqual({
    environment: { HARNESSED: 'y' },
    report: [
      { name: 'SSH_AUTH_SOCK', fate: 'dropped', rule: 'reserved' },
      { name: 'HARNESS_MCP_OAUTH', fate: 'dropped', rule: 'reserved' },
      { name: 'HARNESSED', fate: 'kept', rule: 'ordinary' },
      { name: 'Harness_Other', fate: 'dropped', rule: 'reserved' },
    ],
  })
})

test('a neutral git is set after the scrub, so that nothing of the base undoes it', () => {
  const base = { GIT_DIR: '/elsewhere/.git', GIT_CONFIG_GLOBAL: '/home/u/.gitconfig', GIT_AUTHOR_NAME: 'A' }
  const { environment } = scrubEnvironment(base, { git: 'neutral' })
  expect(environment).toEqual({
    GIT_AUTHOR_NAME: 'A',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_MERGE_AUTOEDIT: 'no',
  })
  expect(scrubEnvironment(base).environment).toEqual(base)
})
