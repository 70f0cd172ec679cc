import type { Scope } from './grant.ts'
import { isProxyName, isSecretName, scopedSecretKind } from './policy.ts'
import type { Environment } from './report.ts'

/** A value that must not be seen, and the name that stands in its place. */
export interface Secret {
  name: string
  value: string
}

export interface SecretSources {
  /** The child's whole environment, as composed. */
  environment: Environment
  scope?: Scope | undefined
  /** The names in `environment` that passed as credentials: `credentials.names` of the composed environment. */
  credentials?: readonly string[] | undefined
  /** Names that passed because the caller named them: `inherit`. */
  inherit?: readonly string[] | undefined
  endpoint?:
    | { credential?: string | undefined; headers?: Readonly<Record<string, string>> | undefined }
    | undefined
  /** By name, as the caller gave them. */
  mcpServers?:
    | Readonly<
        Record<string, { headers?: Readonly<Record<string, string>>; env?: Readonly<Record<string, string>> }>
      >
    | undefined
  /** The caller's own list: `redact`. */
  values?: readonly string[] | undefined
}

/**
 * Every secret that a child was given and could say: SECRET_*, MCP_API_TOKEN, MCP_AUTH (the header line and its bare token),
 * credentials, secret-named variables that were inherited, the password in the address of a proxy or of an inherited variable,
 * the endpoint's credential and headers, those of MCP servers and their secret-named variables, and the caller's own. Addresses, paths, regions and switches that belong to a
 * credential set are no secrets, nor is the mark by which a turn's processes are found: it opens nothing, and the paths of
 * the turn's home hold it. The first name of a value wins.
 */
export function secretsOf(sources: SecretSources): Secret[] {
  const found = new Map<string, string>()
  const add = (name: string, value: string | undefined) => {
    const text = value?.trim()
    if (text && !found.has(text)) found.set(text, name)
  }
  for (const [name, value] of Object.entries(sources.scope ?? {})) {
    if (scopedSecretKind(name) === 'value') add(name.trim(), value)
  }
  for (const [name, value] of Object.entries(sources.scope ?? {})) {
    if (scopedSecretKind(name) === 'header') addHeader(add, name.trim(), value ?? '')
  }
  for (const name of [...(sources.credentials ?? []), ...(sources.inherit ?? [])]) {
    const value = sources.environment[name]
    if (isSecretName(name) && !isFile(name, value)) addHeader(add, name, value ?? '')
  }
  const inherited = new Set(sources.inherit)
  for (const [name, value] of Object.entries(sources.environment)) {
    if (value === undefined || (!isProxyName(name) && !inherited.has(name))) continue
    for (const password of passwordsOf(value)) add(name, password)
  }
  add('ENDPOINT_CREDENTIAL', sources.endpoint?.credential)
  for (const [name, value] of Object.entries(sources.endpoint?.headers ?? {})) {
    addHeader(add, `ENDPOINT_HEADER_${inVariableName(name)}`, value)
  }
  for (const [server, { headers = {}, env = {} }] of Object.entries(sources.mcpServers ?? {})) {
    const prefix = `MCP_${inVariableName(server)}`
    for (const [name, value] of Object.entries(headers)) {
      addHeader(add, `${prefix}_${inVariableName(name)}`, value)
    }
    for (const [name, value] of Object.entries(env)) {
      if (isSecretName(name)) addHeader(add, `${prefix}_${name}`, value)
    }
  }
  for (const [index, value] of (sources.values ?? []).entries()) add(`VALUE_${index + 1}`, value)
  return [...found].map(([value, name]) => ({ name, value }))
}

/**
 * The tokens in a file with a CLI's sign-in: what stands there under a secret's name, or the file's only word. Short values are
 * words such as "bearer".
 */
export function secretsInSignIn(text: string): Secret[] {
  const found = new Map<string, string>()
  const look = (value: unknown, key: string) => {
    if (typeof value === 'string') {
      const name = key.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
      const isToken = /^\S{16,}$/.test(value) && (isSecretName(name) || signInNames.has(name))
      if (isToken && !found.has(value)) found.set(value, `SIGN_IN_${name}`)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) look(item, Array.isArray(value) ? key : name)
    }
  }
  const parsed = parse(text)
  look(parsed ?? text.trim(), parsed === undefined ? 'TOKEN' : '')
  return [...found].map(([value, name]) => ({ name, value }))
}

/** pi's auth.json has these. */
const signInNames: ReadonlySet<string> = new Set(['KEY', 'ACCESS', 'REFRESH'])

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The whole, and of each header in it the value and the bare token: `Authorization: Bearer x`, `Bearer x`, `X-Key: x`. */
function addHeader(add: (name: string, value: string) => void, name: string, value: string): void {
  add(name, value)
  for (const line of value.split(/[\r\n]+/)) {
    const [, content = line] = /^[A-Za-z][\w-]*:\s+(\S.*)$/.exec(line) ?? []
    const token = /^(?:Bearer|Basic|Token)\s+(\S+)\s*$/i.exec(content)?.[1]
    if (token !== undefined || content !== line) add(name, token ?? content)
  }
}

function inVariableName(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '_')
}

/** GOOGLE_APPLICATION_CREDENTIALS, AWS_SHARED_CREDENTIALS_FILE: where a credential is. */
function isFile(name: string, value: string | undefined): boolean {
  return /(?:_FILE|^GOOGLE_APPLICATION_CREDENTIALS)$/i.test(name) && /^(?:\/|~|\.)/.test(value ?? '')
}

/** As it stands in an address, and as it is. */
function passwordsOf(address: string): string[] {
  const password = /:\/\/[^/?#@\s:]*:([^/?#@\s]+)@/.exec(address)?.[1]
  if (password === undefined) return []
  try {
    return [...new Set([password, decodeURIComponent(password)])]
  } catch {
    return [password]
  }
}
