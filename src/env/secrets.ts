import type { Scope } from './grant.ts'
import { isProxyName, isSecretName } from './policy.ts'
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
  /** The caller's own list: `redact`. */
  values?: readonly string[] | undefined
}

/**
 * Every secret that a child was given and could say: SECRET_*, MCP_API_TOKEN, MCP_AUTH (the header line and its bare token),
 * credentials, secret-named variables that were inherited, a proxy's password, the endpoint's credential and headers, and the
 * caller's own. Addresses, regions and switches that belong to a credential set are no secrets. The first name of a value wins.
 */
export function secretsOf(sources: SecretSources): Secret[] {
  const found = new Map<string, string>()
  const add = (name: string, value: string | undefined) => {
    const text = value?.trim()
    if (text && !found.has(text)) found.set(text, name)
  }
  for (const [name, value] of Object.entries(sources.scope ?? {})) {
    const key = name.trim()
    if (key.startsWith('SECRET_') || key === 'MCP_API_TOKEN') add(key, value)
  }
  for (const [name, value] of Object.entries(sources.scope ?? {})) {
    if (name.trim() === 'MCP_AUTH') addHeader(add, 'MCP_AUTH', value)
  }
  for (const name of [...(sources.credentials ?? []), ...(sources.inherit ?? [])]) {
    if (isSecretName(name)) add(name, sources.environment[name])
  }
  for (const [name, value] of Object.entries(sources.environment)) {
    if (value !== undefined && isProxyName(name)) add(name, passwordOf(value))
  }
  add('ENDPOINT_CREDENTIAL', sources.endpoint?.credential)
  for (const [name, value] of Object.entries(sources.endpoint?.headers ?? {})) {
    addHeader(add, `ENDPOINT_HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`, value)
  }
  for (const [index, value] of (sources.values ?? []).entries()) add(`VALUE_${index + 1}`, value)
  return [...found].map(([value, name]) => ({ name, value }))
}

/** A header's value, and the bare token in it: `Authorization: Bearer x`, `Bearer x`. */
function addHeader(add: (name: string, value: string) => void, name: string, value: string): void {
  add(name, value)
  const token = /(?:^|[\s:])(?:Bearer|Basic|Token)\s+(\S+)\s*$/i.exec(value)?.[1]
  if (token) add(name, token)
}

function passwordOf(address: string): string | undefined {
  return /:\/\/[^/?#@\s:]*:([^/?#@\s]+)@/.exec(address)?.[1]
}
