/** An option of the library as the command line says it, where it is called otherwise or is a part of one. */
const flagOf: Readonly<Record<string, string>> = {
  'budgets.totalMs': '--timeout',
  'budgets.idleMs': '--idle-timeout',
  'credentials.set': '--credentials',
  'endpoint.url': '--endpoint',
  'endpoint.api': '--endpoint-api',
  'endpoint.credential': '--endpoint-credential',
  'systemPrompt.replace': '--system-prompt',
  'systemPrompt.append': '--append-system-prompt',
  approvals: '--approvals',
  arguments: '--argument',
  backgroundTasks: '--background-tasks',
  billing: '--billing',
  binary: '--binary',
  configuration: '--configuration',
  conversations: '--conversations',
  credentialExposure: '--credential-exposure',
  credentials: '--credentials',
  cwd: '--cwd',
  effort: '--effort',
  endpoint: '--endpoint',
  fork: '--fork',
  home: '--home',
  inherit: '--inherit',
  model: '--model',
  outputSchema: '--output-schema',
  projectConfiguration: '--project-configuration',
  promptExpansion: '--prompt-expansion',
  resume: '--resume',
  sandbox: '--sandbox',
  scope: '--scope',
  transport: '--transport',
}

/**
 * Our own words about the library's options, for a person at a command line: `binary` is --binary there, and { set: 'oauth' } the
 * word oauth. Only what stands in backticks, or is a dotted name, is an option for sure.
 */
export function inFlags(text: string): string {
  return text
    .replace(/`?\b([a-zA-Z]+\.[a-zA-Z]+)\b`?|`([a-zA-Z]+)`/g, (found, dotted, word) => {
      const option = dotted ?? word
      return Object.hasOwn(flagOf, option) ? (flagOf[option] ?? found) : found
    })
    .replace(/\{ set: '([\w-]+)' \}/g, '$1')
}
