/**
 * Which names may pass, and which may not. Every list of names that decides so stands here and nowhere else.
 *
 * Names are compared in upper case, so `openai_api_key` is what `OPENAI_API_KEY` is.
 */

/** Prefix of everything of this package's own. */
export const ownPrefix = 'COXSWAIN_'

const scopedPrefixes = ['SECRET_', 'VAR_']

/** What a session of a tool bridge gives to a shell. */
export const bridgeVariables = [
  'MCP_API_URL',
  'MCP_API_TOKEN',
  'MCP_SESSION_ID',
  'MCP_MCP',
  'MCP_CUSTOM',
  'MCP_VIRTUAL',
  'MCP_AUTH',
] as const

/** Those of them without which a shell does not reach it: the routes, and the header that opens them. */
export const shellRoute: readonly string[] = bridgeVariables.filter(
  (name) => name !== 'MCP_API_TOKEN' && name !== 'MCP_SESSION_ID',
)

const scopedNames: ReadonlySet<string> = new Set(bridgeVariables)

/** Names that a shell can read as `$NAME`. */
const shellName = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Whether a caller may grant this name to a child: `SECRET_*`, `VAR_*` and the seven MCP session routes. The only owner of
 * that set; spaces around the name do not count.
 *
 * To extend the set: change this function, and add the row to test/env/contract.test.ts.
 */
export function isScopedEnvironmentKey(name: string): boolean {
  const key = name.trim()
  if (scopedNames.has(key)) return true
  return shellName.test(key) && scopedPrefixes.some((prefix) => key.startsWith(prefix) && key !== prefix)
}

/** The same set in words: 'SECRET_*, VAR_*, MCP_API_URL, ... and MCP_AUTH'. */
export const scopedKeysInWords = [...scopedPrefixes.map((prefix) => `${prefix}*`), ...scopedNames]
  .join(', ')
  .replace(/, (\w+)$/, ' and $1')

/** Whether what is granted under this name is a secret: as it is, or as a header line with the secret at its end. */
export function scopedSecretKind(name: string): 'value' | 'header' | undefined {
  const key = name.trim()
  if (key === 'MCP_AUTH') return 'header'
  return key.startsWith('SECRET_') || key === 'MCP_API_TOKEN' ? 'value' : undefined
}

/** What a host's own environment holds under the granted names belongs to someone else; MCP is closed as a whole. */
export function isScopeNamespace(name: string): 'never' | 'unless_undeclared' | undefined {
  const key = name.toUpperCase()
  if (key.startsWith('SECRET_') || key.startsWith('MCP_')) return 'never'
  return key.startsWith('VAR_') ? 'unless_undeclared' : undefined
}

/** Secret-shaped names that are none, and that toolchains need. To have one dropped, name it in `reserve`. */
const plainNames: ReadonlySet<string> = new Set([
  'PWD',
  'SSH_AUTH_SOCK',
  'GPG_AGENT_INFO',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_PROFILE',
  'AWS_DEFAULT_PROFILE',
  'AWS_DEFAULT_OUTPUT',
  'AWS_CONFIG_FILE',
  'AWS_CA_BUNDLE',
  'AWS_PAGER',
  'AWS_SDK_LOAD_CONFIG',
  'AWS_EC2_METADATA_DISABLED',
  'AZURE_REGION',
  'AZURE_LOCATION',
  // codex's own name for a company's root certificate; without it there is no network behind such a proxy.
  'CODEX_CA_CERTIFICATE',
])

/** Whether toolchains need this name although it looks like a secret or like an agent's own. */
export function isPlainName(name: string): boolean {
  return plainNames.has(name.toUpperCase())
}

const secretPrefixes = [ownPrefix, 'AWS_', 'AZURE_']

/** A word between boundaries: TOKENIZER and SECRETARY_NOTES are none. */
const secretWord =
  /(?:^|[^A-Z0-9])(?:TOKEN|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?|CREDS?|O?AUTH|API_?KEYS?|ACCESS_?KEYS?|PRIVATE_?KEYS?)\d*(?:[^A-Z0-9]|$)/

/** Endings that need no boundary before them: PGPASSWORD, `npm_config_//registry/:_authToken`. */
const secretEnding = /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|APIKEY)\d*$/

/** Short endings that mean a secret only after an underscore: OPENAI_KEY, STRIPE_SK, GITHUB_PAT, MYSQL_PWD. */
const secretShortEnding = /_(?:KEY|SK|PAT|PASS|PWD|PW|HEADERS)\d*$/

const secretTokens = /(?:^|_)TOKENS$/
/** MAX_THINKING_TOKENS counts, ACCESS_TOKENS does not. */
const countedTokens =
  /(?:^|_)(?:MAX|MIN|NUM|TOTAL|LIMIT|BUDGET|INPUT|OUTPUT|THINKING|CONTEXT)_(?:\w+_)?TOKENS$/

const secretNames: ReadonlySet<string> = new Set(['NETRC', 'SSHPASS'])

/** Whether a variable of this name holds a secret, or something of this package's own, as far as the name tells. */
export function isSecretName(name: string): boolean {
  const key = name.toUpperCase()
  if (plainNames.has(key)) return false
  return (
    secretPrefixes.some((prefix) => key.startsWith(prefix)) ||
    secretNames.has(key) ||
    secretWord.test(key) ||
    secretEnding.test(key) ||
    secretShortEnding.test(key) ||
    (secretTokens.test(key) && !countedTokens.test(key))
  )
}

/**
 * What an enclosing agent leaves for its children, and its settings: nested, it makes the inner CLI refuse or behave
 * differently (claude refused to start under CLAUDECODE=1), and a child's behaviour would depend on where the host runs.
 */
const agentPrefixes = [
  'CLAUDE_',
  'CODEX_',
  'CURSOR_',
  'PI_',
  'GEMINI_CLI_',
  'OPENCODE_',
  'COPILOT_',
  'CLINE_',
  'GOOSE_',
]

const agentMarkers: ReadonlySet<string> = new Set([
  'CLAUDECODE',
  'AI_AGENT',
  'GEMINI_CLI',
  'OPENCODE',
  'AUGMENT_AGENT',
  'ANTIGRAVITY_AGENT',
])

export function isAgentName(name: string): boolean {
  const key = name.toUpperCase()
  if (plainNames.has(key)) return false
  return agentMarkers.has(key) || agentPrefixes.some((prefix) => key.startsWith(prefix))
}

/** Model providers: keys, addresses, headers and model choices. They reach a child only as its own credentials. */
const providerPrefixes = [
  'ANTHROPIC_',
  'OPENAI_',
  'GEMINI_',
  'OPENROUTER_',
  'AI_GATEWAY_',
  'GROQ_',
  'MISTRAL_',
  'DEEPSEEK_',
  'CEREBRAS_',
  'XAI_',
  'ZAI_',
  'FIREWORKS_',
  'TOGETHER_',
  'KIMI_',
  'MOONSHOT_',
  'MINIMAX_',
  'PERPLEXITY_',
  'COHERE_',
]

export function isProviderName(name: string): boolean {
  const key = name.toUpperCase()
  return providerPrefixes.some((prefix) => key.startsWith(prefix))
}

/** The host's own instrumentation: a child must not report as the host. */
export function isTelemetryName(name: string): boolean {
  const key = name.toUpperCase()
  return key.startsWith('OTEL_') || key === 'TRACEPARENT' || key === 'TRACESTATE'
}

/** HTTPS_PROXY, npm_config_proxy: kept with userinfo, or nothing works behind such a proxy. */
export function isProxyName(name: string): boolean {
  return /(?:^|_)PROXY$/.test(name.toUpperCase())
}
