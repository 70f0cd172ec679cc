/** A base environment: `process.env`, or what a caller gives in its place. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Why a variable passed, or did not. */
export const environmentRules = {
  ordinary: 'Nothing speaks against it.',
  proxy_credentials:
    'A proxy address with a user and a password: kept, because nothing works behind that proxy without it.',
  inherit: 'Named in `inherit`.',
  granted: 'Granted by `scope`.',
  credential: "One of this adapter's own credentials.",
  set: 'Set by the adapter or the runner.',
  git: 'Set to keep git neutral.',
  malformed: 'An empty name, or `=` or NUL where none can be.',
  own: "This package's own.",
  reserved: 'Reserved by the caller.',
  scope:
    'SECRET_* and MCP_* of the host never pass, VAR_* only when no scope is declared: grant them with `scope`.',
  shell_function: 'A shell function.',
  agent: "An enclosing agent's marker or setting.",
  provider: "A model provider's variable that is none of the credentials in use.",
  telemetry: "The host's own instrumentation.",
  secret_name: 'The name says that it is a secret.',
  url_credentials: 'An address with a user and a password in it.',
  credential_unused: 'A credential of this adapter that is not in use.',
  credential_outranked:
    'A credential of this adapter that the CLI would not use beside another one that is there.',
  blank: 'Blank counts as absent.',
  not_scoped: 'No name that a scope can grant: SECRET_*, VAR_* and the MCP session routes are.',
  not_inheritable: 'No name that `inherit` can pass on.',
  absent: 'Named, but the base environment has no such variable.',
} as const

export type EnvironmentRule = keyof typeof environmentRules

/** What became of one name. Names and rules only, never a value. */
export interface EnvironmentReportEntry {
  name: string
  fate: 'kept' | 'dropped' | 'granted' | 'set' | 'absent' | 'refused'
  rule: EnvironmentRule
  /** The credential set that the variable passes with. */
  set?: string
}
