import { AgentError, shortened } from '../errors.ts'
import {
  isAgentName,
  isProviderName,
  isProxyName,
  isScopeNamespace,
  isSecretName,
  isTelemetryName,
  ownPrefix,
} from './policy.ts'
import type { Environment, EnvironmentReportEntry, EnvironmentRule } from './report.ts'

/*
 * Where this differs from the rules it was drawn from:
 * - names are compared in upper case, and at word boundaries, plural or not, also without a word before (`TOKEN`, `API_KEY`);
 * - `AWS_*` and `AZURE_*` are dropped but for a short list of names that are no secrets (AWS_REGION, AWS_PROFILE, ...);
 * - shell functions, addresses with userinfo and malformed names are dropped, too;
 * - GITHUB_* and GH_* pass unless they look like secrets: a pipeline's tools go by them;
 * - the host's own routes (MCP_API_URL, MCP_MCP, MCP_CUSTOM, MCP_VIRTUAL) are dropped like the rest of MCP_*;
 * - an undeclared scope still scrubs; only ambient VAR_* pass then;
 * - a refused name throws instead of being left out in silence;
 * - a granted name must be one that a shell can read: SECRET_A-B is refused.
 */

export interface ScrubOptions {
  /** Names that the scrub would drop but the child shall have. Some can never be: see `refusedInheritance`. */
  inherit?: readonly string[] | undefined
  /** More names that never pass, not even with `inherit`; `PREFIX_*` names all that begin so. */
  reserve?: readonly string[] | undefined
  /** Whether the caller declared a scope, be it an empty one: then ambient VAR_* do not pass. Default false. */
  scopeDeclared?: boolean | undefined
  /**
   * 'neutral': git reads no system or user configuration, asks nothing, opens no editor, and is not bound to the repository
   * that the host happens to run in. Default 'keep'.
   */
  git?: 'keep' | 'neutral' | undefined
}

export interface ScrubResult {
  environment: Record<string, string>
  /** One entry per name of the base, in its order, then what was added or not found. */
  report: EnvironmentReportEntry[]
}

/**
 * Subtracts from a base environment what no child may see. A denylist: everything else survives, because toolchains need an
 * open-ended set of names. Throws `environment_key_refused` when `inherit` names what can never pass.
 */
export function scrubEnvironment(base: Environment, options: ScrubOptions = {}): ScrubResult {
  const inherit = options.inherit ?? []
  throwRefusedInheritance(refusedInheritance(inherit, options))
  const inherited = new Set(inherit.map((name) => name.toUpperCase()))
  const environment: Record<string, string> = {}
  const report: EnvironmentReportEntry[] = []
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined) continue
    const rule = dropRule(name, value, options)
    if (rule === undefined) {
      environment[name] = value
      report.push({ name, fate: 'kept', rule: hasUserinfo(value) ? 'proxy_credentials' : 'ordinary' })
    } else if (inherited.has(name.toUpperCase()) && isInheritable(rule)) {
      environment[name] = value
      report.push({ name, fate: 'kept', rule: 'inherit' })
    } else {
      report.push({ name, fate: 'dropped', rule })
    }
  }
  for (const name of inherit) {
    if (
      !Object.keys(base).some((key) => base[key] !== undefined && key.toUpperCase() === name.toUpperCase())
    ) {
      report.push({ name, fate: 'absent', rule: 'absent' })
    }
  }
  // After the scrub, so that nothing of the base can undo it.
  if (options.git === 'neutral') neutralizeGit(environment, report)
  return { environment, report }
}

/** The rule by which a variable is dropped; undefined when it passes. */
export function dropRule(
  name: string,
  value: string,
  options: ScrubOptions = {},
): EnvironmentRule | undefined {
  if (name === '' || /[=\0]/.test(name) || value.includes('\0')) return 'malformed'
  const byName = neverRule(name, options)
  if (byName) return byName
  if (isScopeNamespace(name) === 'unless_undeclared') {
    if (options.scopeDeclared === true) return 'scope'
  }
  if (value.startsWith('() {') || /^BASH_FUNC_/i.test(name)) return 'shell_function'
  if (isAgentName(name)) return 'agent'
  if (isProviderName(name)) return 'provider'
  if (isTelemetryName(name)) return 'telemetry'
  if (isSecretName(name)) return 'secret_name'
  if (!isProxyName(name) && (hasUserinfo(value) || hasPasswordField(name, value))) return 'url_credentials'
  return undefined
}

/** Rules that nothing can lift. */
function neverRule(name: string, options: ScrubOptions): EnvironmentRule | undefined {
  const key = name.toUpperCase()
  if (key.startsWith(ownPrefix)) return 'own'
  if (options.reserve?.some((pattern) => matches(key, pattern))) return 'reserved'
  if (isScopeNamespace(name) === 'never') return 'scope'
  return undefined
}

function matches(key: string, pattern: string): boolean {
  const wanted = pattern.toUpperCase()
  return wanted.endsWith('*') ? key.startsWith(wanted.slice(0, -1)) : key === wanted
}

function isInheritable(rule: EnvironmentRule): boolean {
  return rule !== 'malformed' && rule !== 'shell_function'
}

/**
 * Those of the names in `inherit` that can never pass: this package's own, reserved ones, what only a scope grants, and keys
 * of model providers, which reach a child only as its own credentials.
 */
export function refusedInheritance(inherit: readonly string[], options: ScrubOptions = {}): string[] {
  return inherit.filter(
    (name) =>
      name === '' ||
      /[=\0]/.test(name) ||
      neverRule(name, options) !== undefined ||
      isScopeNamespace(name) !== undefined ||
      ((isProviderName(name) || isAgentName(name)) && isSecretName(name)),
  )
}

export function throwRefusedInheritance(names: readonly string[]): void {
  if (names.length === 0) return
  throw new AgentError(
    'environment_key_refused',
    `inherit can never pass on ${names.map(quote).join(', ')}.`,
    {
      hint: "Grant SECRET_*, VAR_* and MCP routes with scope; give the adapter's own keys with credentials; leave reserved names out.",
    },
  )
}

function quote(name: string): string {
  return JSON.stringify(shortened(name))
}

/** user:password@ in any address; on http a lone token before the @ is a credential as well. */
const userinfo = /:\/\/[^/?#@\s]*:[^/?#@\s]+@|https?:\/\/[^/?#@\s]+@/i

function hasUserinfo(value: string): boolean {
  return value.includes('@') && userinfo.test(value)
}

/** Connection strings that carry the password in a field, or before an `@` without a scheme. */
function hasPasswordField(name: string, value: string): boolean {
  if (!/(?:URL|URI|DSN|CONNECTION_STRING)$/i.test(name)) return false
  return (
    /(?:^|[?&;\s])(?:password|pwd|accountkey|sharedaccesskey)=/i.test(value) ||
    /^[^\s:/@]+:[^\s/@]+@/.test(value)
  )
}

/** What binds git to one repository or slips configuration into it: `git rev-parse --local-env-vars`, and the askers. */
const gitBindings =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|CONFIG|CONFIG_PARAMETERS|CONFIG_COUNT|CONFIG_KEY_\d+|CONFIG_VALUE_\d+|ASKPASS)$/i

const gitSettings: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_MERGE_AUTOEDIT: 'no',
}

function neutralizeGit(environment: Record<string, string>, report: EnvironmentReportEntry[]): void {
  for (const entry of report) {
    if (
      entry.fate !== 'kept' ||
      (!gitBindings.test(entry.name) && !Object.hasOwn(gitSettings, entry.name.toUpperCase()))
    )
      continue
    delete environment[entry.name]
    entry.fate = 'dropped'
    entry.rule = 'git'
  }
  for (const [name, value] of Object.entries(gitSettings)) {
    environment[name] = value
    report.push({ name, fate: 'set', rule: 'git' })
  }
}
