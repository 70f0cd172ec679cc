import { expect, test } from 'vitest'
import { secretsOf } from '../../src/env/secrets.ts'

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
