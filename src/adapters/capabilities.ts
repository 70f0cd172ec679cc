/** What a CLI can honour. An option outside of this is refused by name, before anything starts. */
export interface Capabilities {
  /** How answer text and reasoning arrive. */
  streams: {
    text: 'token' | 'block'
    thinking: 'token' | 'block' | 'none'
    toolInput: boolean
    toolOutput: boolean
  }
  approvals: readonly ('deny' | 'auto' | 'approve-all')[]
  /** true: it asks before no tool, so that every one runs at once whatever `approvals` says; a turn says so first. */
  asksNothing: boolean
  /** 'off' is honoured everywhere. */
  sandbox: readonly ('read-only' | 'workspace-write')[]
  /** true: `network` can be switched both ways. false: the CLI has no such switch, so only `network: true` is honoured. */
  network: boolean
  systemPrompt: { append: boolean; replace: boolean }
  /** The accepted words; 'any' when the CLI passes the word on to its model. */
  effort: readonly string[] | 'any'
  images: boolean
  resume: boolean
  fork: boolean
  /** The APIs that `endpoint` can point at. Empty: unsupported. The first is the default. */
  endpoint: readonly ('anthropic' | 'openai-responses' | 'openai-chat')[]
  backgroundTasks: readonly ('forbid' | 'wait')[]
  projectConfiguration: readonly ('ignore' | 'trust')[]
  /** Whether `projectInstructions: false` can be honoured. */
  withoutProjectInstructions: boolean
  /** The kinds of MCP servers that `mcpServers` may name. Empty: unsupported. */
  mcpServers: readonly ('stdio' | 'http')[]
  /** Names of MCP servers that are the CLI's own: one of the turn's that is called so is left out, or worse. */
  reservedServers: readonly string[]
  /** The modes of `tools` that can be kept. 'hybrid' and 'mcp_only' only where there are `mcpServers`. */
  toolModes: readonly ('native' | 'hybrid' | 'mcp_only')[]
  /** Whether `tools.allow` and `tools.deny` can name the CLI's own tools. */
  nativeToolLists: boolean
  /** 'native': the CLI holds its model to a schema of an object. 'asked': the prompt asks for it. Either way the answer is checked. */
  outputSchema: 'native' | 'asked'
  /**
   * The approvals under which a command of the model's runs in the CLI's own shell with nobody asked, sees what the scope grants
   * and reaches the loopback (in a sandbox: with `network: true`), as `probeNativeShell` finds it.
   */
  nativeShell: readonly ('deny' | 'auto' | 'approve-all')[]
  /** Whether the CLI has expansions (@file, /command) that `promptExpansion: true` can let through. */
  promptExpansion: boolean
  /** Whether `configuration` has a place to go. */
  configuration: boolean
  /** Flags that an option owns, with that option's name: refused in `arguments`. */
  reservedArguments: Readonly<Record<string, string>>
  /** Settings that an option owns, with that option's name: refused in `configuration`. Top-level keys, or dotted paths. */
  reservedConfiguration: Readonly<Record<string, string>>
  /** Settings by which the CLI has more tools or fewer: in 'mcp_only' they may only take away. Top-level keys, or dotted paths. */
  toolConfiguration: readonly string[]
  /** Flags that bring tools, or make the turn another agent's: refused in 'mcp_only'. */
  toolArguments: readonly string[]
  /** What cannot be kept from a private home on this CLI, one sentence each; shown by doctor. */
  limits: readonly string[]
}

/** What an adapter can honour that says nothing. */
export const noCapabilities: Capabilities = {
  streams: { text: 'block', thinking: 'none', toolInput: false, toolOutput: false },
  approvals: ['deny'],
  asksNothing: false,
  sandbox: [],
  network: false,
  systemPrompt: { append: false, replace: false },
  effort: [],
  images: false,
  resume: false,
  fork: false,
  endpoint: [],
  backgroundTasks: ['forbid'],
  projectConfiguration: ['ignore'],
  withoutProjectInstructions: false,
  mcpServers: [],
  reservedServers: [],
  toolModes: ['native'],
  nativeToolLists: false,
  nativeShell: [],
  outputSchema: 'asked',
  promptExpansion: false,
  configuration: false,
  reservedArguments: {},
  reservedConfiguration: {},
  toolConfiguration: [],
  toolArguments: [],
  limits: [],
}
