/** A variable whose value a CLI also takes from a pipe: its environment holds nothing of it then. */
export interface SecretPipe {
  /** 'ANTHROPIC_API_KEY'. */
  variable: string
  /** The variable that gets the number of the descriptor instead. */
  descriptor: string
  /** The first version that was seen to read a socket there, which is what a pipe of Node's is. */
  since: string
  /** true: `launch` puts the credential of an endpoint into this variable. */
  endpoint?: boolean
}

/** What of a turn may say where a provider's API is. */
export interface ForwardingRequest {
  /** The child's, with its credentials. */
  environment: Readonly<Record<string, string>>
  configuration: Readonly<Record<string, unknown>>
  version: string
  /** false: the home is a directory of the caller's, whose files are not all ours to write. */
  hasPrivateHome: boolean
}

export interface ForwardingTarget {
  /** The API's base url, as its own SDK takes it. */
  url: string
  /** Further headers, which are secret too. */
  headers?: Readonly<Record<string, string>>
}

/**
 * A set whose secret can stay outside of the child: its variable gets a token instead, which the credential forwarder exchanges
 * on the way. `launch` finds the forwarder's address in `context.forwarders`, by the set's name.
 */
export interface Forwarding {
  /** Where this turn's requests would go; undefined: nobody can tell from here. Pure. */
  target(request: ForwardingRequest): ForwardingTarget | undefined
  /** What the CLI tells this kind of credential by. */
  tokenPrefix?: string
}
