import type { Forwarding, SecretPipe } from '../exposure.ts'

/** 2.1.332 reads a socket; 1.0.124 and 2.0.72 open the descriptor by its path, which a socket has none of. */
const readsSockets = '2.1.332'

export const claudePipes: readonly SecretPipe[] = [
  {
    variable: 'ANTHROPIC_API_KEY',
    descriptor: 'CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR',
    since: readsSockets,
    endpoint: true,
  },
  {
    variable: 'CLAUDE_CODE_OAUTH_TOKEN',
    descriptor: 'CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR',
    since: readsSockets,
  },
]

/** For what no pipe takes: tokens of a gateway, headers, and what an older version would have in its environment. */
export const claudeForwarding: Forwarding = {
  target: ({ environment }) => ({
    url: environment.ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com',
    headers: headersIn(environment.ANTHROPIC_CUSTOM_HEADERS ?? ''),
  }),
}

/** One `Name: value` a line. */
function headersIn(lines: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines.split('\n')) {
    const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined && value) headers[name] = value
  }
  return headers
}
