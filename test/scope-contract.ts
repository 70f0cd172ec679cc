/**
 * The contract of what a scope can grant and what a host's own environment cannot, in one place for every boundary: the
 * options, the composed environment, and the child that was really spawned.
 */

/** Granted: each must reach the child as it is. */
export const granted: Readonly<Record<string, string>> = {
  SECRET_A: 'granted-secret-a',
  SECRET_PEXELS_KEY: 'granted-secret-pexels',
  VAR_A: 'granted-var-a',
  VAR_PAN: 'granted-var-pan',
  VAR_GROUP_NAME: 'granted-group',
  VAR_WORKSPACE_PATH: '/granted/workspace',
  MCP_API_URL: 'http://127.0.0.1:9/s/granted',
  MCP_API_TOKEN: 'granted-api-token',
  MCP_SESSION_ID: 'granted-session',
  MCP_MCP: 'http://127.0.0.1:9/tools/mcp',
  MCP_CUSTOM: 'http://127.0.0.1:9/tools/custom',
  MCP_VIRTUAL: 'http://127.0.0.1:9/tools/virtual',
  MCP_AUTH: 'Authorization: Bearer granted-api-token',
}

/** Blank: admitted, and absent from the child. */
export const blank: Readonly<Record<string, string>> = { SECRET_EMPTY: '', VAR_EMPTY: '  ' }

/** Refused by name, wherever a scope is given. */
export const refused: readonly string[] = [
  'PATH',
  'HOME',
  'MCP_ANYTHING',
  'MCP_UNRELATED',
  'MCP_TIMEOUT',
  'SECRETX',
  'VARX',
  'SECRET_',
  'VAR_',
  'secret_a',
  'DATABASE_URL',
  'AWS_SECRET',
  'UNRELATED',
  'COXSWAIN_TURN',
  'ANTHROPIC_API_KEY',
  'MY_SECRET_A',
  // What would rearm a command.
  'ENV',
  'BASH_ENV',
  'PROMPT_COMMAND',
  'PS4',
  'SHELL',
  'SHELLOPTS',
  'BASHOPTS',
  'IFS',
  'CDPATH',
  'GLOBIGNORE',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'LD_AUDIT',
  'DYLD_INSERT_LIBRARIES',
  'NODE_OPTIONS',
  'BASH_FUNC_x%%',
  // No shell could read these.
  'SECRET_A-B',
  'SECRET_A.B',
  'SECRET_A=B',
  'SECRET_A B',
  'SECRET_A;B',
  'SECRET_A$B',
  'SECRET_A\nB',
  'SECRET_Ä',
  '',
]

/** What another tenant of the host has: it must not reach the child unless this scope grants the name. */
export const ambientOfAnother: Readonly<Record<string, string>> = {
  SECRET_OTHER_TENANT: 'ambient-secret-other',
  SECRET_A: 'ambient-secret-a',
  MCP_API_URL: 'http://ambient/api',
  MCP_API_TOKEN: 'ambient-api-token',
  MCP_AUTH: 'Authorization: Bearer ambient-api-token',
  MCP_SESSION_ID: 'ambient-session',
  MCP_CUSTOM: 'http://ambient/custom',
  MCP_MCP: 'http://ambient/mcp',
  MCP_VIRTUAL: 'http://ambient/virtual',
  MCP_ANYTHING: 'ambient-mcp-anything',
}

/** Settings of the host, which pass only where no scope is declared. */
export const ambientSettings: Readonly<Record<string, string>> = {
  VAR_SOMEONE_ELSES: 'ambient-var-other',
  VAR_A: 'ambient-var-a',
}

/** What of all that a child has: undeclared, declared and empty, declared and full. */
export const scopes: readonly {
  title: string
  scope: Record<string, string> | undefined
  has: Readonly<Record<string, string>>
}[] = [
  { title: 'undeclared', scope: undefined, has: ambientSettings },
  { title: 'declared, empty', scope: {}, has: {} },
  { title: 'declared, full', scope: { ...granted, ...blank }, has: granted },
]

/** The names under which a scope grants, out of all that a child has. */
export function scopedPart(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => /^(?:SECRET|VAR|MCP)_|^(?:SECRETX|VARX)$/.test(name)),
  )
}
