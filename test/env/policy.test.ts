import { describe, expect, test } from 'vitest'
import { isSecretName } from '../../src/env.ts'

describe('a name that is secret', () => {
  test.each([
    // keys of models and tools
    'OPENAI_API_KEY',
    'OPENROUTER_API_KEY',
    'ANTHROPIC_API_KEY',
    'OPENCODE_API_KEY',
    'TYPESAFE_API_KEY',
    'WEBSEARCH_API_KEY',
    'BRAVE_API_KEY',
    'EXA_API_KEY',
    'SOME_VENDOR_API_KEY',
    // tokens
    'GH_TOKEN',
    'GITHUB_TOKEN',
    'CI_JOB_TOKEN',
    'NPM_TOKEN',
    'ACCESS_TOKENS',
    'ACTIONS_ID_TOKEN_REQUEST_URL',
    // passwords
    'DB_PASSWORD',
    'DB_PASSWD',
    'JWT_SECRET',
    'PGPASSWORD',
    'MYSQL_PWD',
    'DB_PASS',
    'SSHPASS',
    // clouds
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AZURE_CLIENT_SECRET',
    'AZURE_CLIENT_ID',
    'GOOGLE_APPLICATION_CREDENTIALS',
    // this package's own, also names that do not exist yet
    'COXSWAIN_AUTH_TOKEN',
    'COXSWAIN_MCP_OAUTH_CREDENTIAL',
    'COXSWAIN_TURN',
    // without a word before
    'API_KEY',
    'TOKEN',
    'PASSWORD',
    'SECRET',
    // other words
    'OPENAI_KEY',
    'STRIPE_SK',
    'SSH_PRIVATE_KEY',
    'GPG_PASSPHRASE',
    'GITHUB_PAT',
    'NPM_AUTH',
    'npm_config_//registry/:_authToken',
    'npm_config_//registry.example.com/:_password',
    'SERVICE_CREDENTIALS',
    'SERVICE_CREDS',
    'DOCKER_AUTH_CONFIG',
    'NETRC',
    'ANTHROPIC_CUSTOM_HEADERS',
    'MY_TOKEN_2',
    'MY_TOKEN2',
    // in small letters
    'openai_api_key',
    'Github_Token',
    // what a scope grants
    'SECRET_A',
    'MCP_API_TOKEN',
    'MCP_AUTH',
  ])('%s', (name) => {
    expect(isSecretName(name)).toBe(true)
  })
})

describe('a name that is none', () => {
  test.each([
    'PATH',
    'HOME',
    'GOPATH',
    'GOCACHE',
    'GOMODCACHE',
    'TMPDIR',
    'TMP',
    'LANG',
    'LC_ALL',
    'USER',
    'SHELL',
    'GOFLAGS',
    'GOPROXY',
    'GOOS',
    'TERM',
    'PWD',
    'OLDPWD',
    'EDITOR',
    'XDG_CONFIG_HOME',
    // near misses
    'TOKENIZER',
    'TOKENIZERS_PARALLELISM',
    'APIARY',
    'SECRETARY_NOTES',
    'KEYBOARD_LAYOUT',
    'GIT_AUTHOR_NAME',
    'GIT_ASKPASS',
    'XAUTHORITY',
    'MAX_THINKING_TOKENS',
    'MAX_MCP_OUTPUT_TOKENS',
    // secret-shaped, but needed and no secrets
    'AWS_REGION',
    'AWS_DEFAULT_REGION',
    'AWS_PROFILE',
    'AZURE_REGION',
    'SSH_AUTH_SOCK',
    'GPG_AGENT_INFO',
    // by their value, not by their name
    'DATABASE_URL',
    'REDIS_URL',
    'SENTRY_DSN',
    'HTTPS_PROXY',
    'VAR_GROUP_NAME',
  ])('%s', (name) => {
    expect(isSecretName(name)).toBe(false)
  })
})
