import { expect, test } from 'vitest'
import { secretsInSignIn, secretsOf } from '../../src/env/secrets.ts'

test('every secret that a child was given, by name', () => {
  const secrets = secretsOf({
    environment: {
      PATH: '/usr/bin',
      ANTHROPIC_API_KEY: 'sk-ant-key',
      AWS_REGION: 'eu-west-1',
      CLAUDE_CODE_USE_BEDROCK: 'true-for-all',
      GH_TOKEN: 'gh-inherited',
      OTEL_SERVICE_NAME: 'service',
      HTTPS_PROXY: 'http://user:proxy-pass@proxy:8080',
    },
    scope: {
      SECRET_A: 'secret-a',
      VAR_A: 'no secret at all',
      MCP_API_URL: 'http://127.0.0.1:1',
      MCP_SESSION_ID: 'session-1',
      MCP_AUTH: 'Authorization: Bearer other-token',
      MCP_API_TOKEN: 'bridge-token',
    },
    credentials: ['ANTHROPIC_API_KEY', 'AWS_REGION', 'CLAUDE_CODE_USE_BEDROCK'],
    inherit: ['GH_TOKEN', 'OTEL_SERVICE_NAME'],
    endpoint: {
      credential: 'endpoint-key',
      headers: { 'x-tenant': 'tenant-1', Authorization: 'Bearer header-token' },
    },
    values: ['the caller said so'],
  })
  expect(secrets).toEqual([
    { name: 'SECRET_A', value: 'secret-a' },
    { name: 'MCP_API_TOKEN', value: 'bridge-token' },
    { name: 'MCP_AUTH', value: 'Authorization: Bearer other-token' },
    { name: 'MCP_AUTH', value: 'other-token' },
    { name: 'ANTHROPIC_API_KEY', value: 'sk-ant-key' },
    { name: 'GH_TOKEN', value: 'gh-inherited' },
    { name: 'HTTPS_PROXY', value: 'proxy-pass' },
    { name: 'ENDPOINT_CREDENTIAL', value: 'endpoint-key' },
    { name: 'ENDPOINT_HEADER_X_TENANT', value: 'tenant-1' },
    { name: 'ENDPOINT_HEADER_AUTHORIZATION', value: 'Bearer header-token' },
    { name: 'ENDPOINT_HEADER_AUTHORIZATION', value: 'header-token' },
    { name: 'VALUE_1', value: 'the caller said so' },
  ])
})

test('one value has one name, the first; nothing given, nothing to hide', () => {
  expect(
    secretsOf({
      environment: {},
      scope: { MCP_AUTH: 'Authorization: Bearer same-token', MCP_API_TOKEN: 'same-token', SECRET_A: '' },
    }),
  ).toEqual([
    { name: 'MCP_API_TOKEN', value: 'same-token' },
    { name: 'MCP_AUTH', value: 'Authorization: Bearer same-token' },
  ])
  expect(secretsOf({ environment: { PATH: '/usr/bin' } })).toEqual([])
})

test('the value of any header, a password in an inherited address, but no path of a credential', () => {
  const secrets = secretsOf({
    environment: {
      GOOGLE_APPLICATION_CREDENTIALS: '/home/ada/key.json',
      ANTHROPIC_CUSTOM_HEADERS: 'X-Key: one-key\nAuthorization: Bearer two-key',
      DATABASE_URL: 'postgres://ada:pa%24%24word@db/x',
    },
    scope: { MCP_AUTH: 'X-Api-Key: bare-key' },
    credentials: ['GOOGLE_APPLICATION_CREDENTIALS', 'ANTHROPIC_CUSTOM_HEADERS'],
    inherit: ['DATABASE_URL'],
  })
  expect(secrets.map(({ value }) => value)).toEqual([
    'X-Api-Key: bare-key',
    'bare-key',
    'X-Key: one-key\nAuthorization: Bearer two-key',
    'one-key',
    'two-key',
    'pa%24%24word',
    'pa$$word',
  ])
})

test('the tokens in a sign-in, as each CLI keeps them', () => {
  const rows: [text: string, secrets: string[]][] = [
    [
      '{"claudeAiOauth":{"accessToken":"sk-ant-oat01-abcdef","scopes":["user:inference:everything"]}}',
      ['SIGN_IN_ACCESS_TOKEN=sk-ant-oat01-abcdef'],
    ],
    [
      '{"tokens":{"id_token":"eyJ.id.token.of.one","token_type":"bearer","account_id":"0123456789abcdef"}}',
      ['SIGN_IN_ID_TOKEN=eyJ.id.token.of.one'],
    ],
    [
      '{"anthropic":{"type":"oauth","access":"pi-access-0123456","refresh":"pi-refresh-012345","expires":1}}',
      ['SIGN_IN_ACCESS=pi-access-0123456', 'SIGN_IN_REFRESH=pi-refresh-012345'],
    ],
    ['a-key-in-a-file-of-its-own\n', ['SIGN_IN_TOKEN=a-key-in-a-file-of-its-own']],
    ['', []],
    ['not a key, but words', []],
  ]
  for (const [text, secrets] of rows)
    expect(secretsInSignIn(text).map(({ name, value }) => `${name}=${value}`)).toEqual(secrets)
})
