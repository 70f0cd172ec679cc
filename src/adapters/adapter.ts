import type { JsonSchema, LaunchOptions, LiveLaunchOptions } from '../options/turn-options.ts'
import type { Wire } from '../protocol/wire.ts'
import type { Forwarding, SecretPipe } from './exposure.ts'

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
  /** What cannot be kept from a private home on this CLI, one sentence each; shown by doctor. */
  limits: readonly string[]
}

/** A named group of variables that together sign a CLI in. */
export interface CredentialSet {
  name: string
  /** What passes when this set is used. */
  variables: readonly string[]
  /** The set is in use when all of these have a value. Default: all `variables`. */
  requires?: readonly string[]
  /** A variable that turns the set on, and must hold `1`, `true`, `yes` or `on` for it. */
  switch?: string
  billing: 'api' | 'subscription'
  /** Default: both. */
  transports?: readonly ('structured' | 'live')[]
  /** How its secret can be kept from the agent's shell where no pipe of the adapter's takes it. */
  forwarding?: Forwarding
}

/** A tool of the CLI's own. */
export interface NativeTool {
  /** As the CLI offers it to the model. */
  name: string
  /** What it is for: the kinds that ask, plan, wait or delegate are what a product wants to know of. */
  kind:
    | 'read'
    | 'edit'
    | 'shell'
    | 'network'
    | 'question'
    | 'plan'
    | 'background'
    | 'schedule'
    | 'agent'
    | 'mcp'
    | 'other'
  /** The CLI cannot take it away in 'mcp_only': why it can do nothing there. */
  residual?: string
  /** The group of those that the CLI has only together, under this name: `allow` and `deny` mean all of them. */
  together?: string
}

export type SignInBilling = 'api' | 'subscription' | 'mixed' | 'unknown' | 'none'

/** Where a CLI keeps what is the user's, and which of it a private home links. */
export interface HomeDeclaration {
  /** The variable that moves the configuration directory: 'CODEX_HOME'. Empty: nothing moves it. */
  variable: string
  /** The user's own directory, relative to HOME: '.codex'. */
  userDirectory: string
  /** Files of the user's directory that are the sign-in; linked, never copied, when credentials are 'inherit'. */
  signIn: readonly string[]
  /**
   * Who pays for a sign-in, told by what its file holds (parsed JSON, undefined where it is none); 'none': it signs nobody in.
   * Only this word is kept of it. `model`: the turn's own, for a file that signs in to several providers. Pure. Absent: unknown.
   */
  signInBilling?(content: unknown, model: string | undefined): SignInBilling
  /** true: the CLI also finds a sign-in that does not move with the directory, so that seeing none proves nothing. */
  signInElsewhere?: boolean
  /**
   * Files and folders that can name a credential or a provider of their own, so that nobody can tell who pays where one is there:
   * of a home that is kept, relative to it, and of a trusted project, relative to the working directory and to those above it,
   * up to the repository's root.
   */
  payingSettings?: { home: readonly string[]; project: readonly string[] }
  /** Directories inside the home that hold transcripts; linked to the `conversations` folder. */
  conversations: readonly string[]
  /**
   * Where, relative to the home, a conversation is kept. Declared by a CLI that takes an unknown id for a new conversation's
   * without a word: the runner looks there before it resumes in a private home, and rejects what is not there. Pure.
   */
  conversation?(sessionId: string, cwd: string): string
  /**
   * Folders of skills that reach this CLI in every home, so that `launch` has to turn each skill off: those of the user, relative
   * to HOME, and those of a project, relative to the working directory and to every directory above it.
   */
  skills?: { user: readonly string[]; project: readonly string[] }
  /** Files of the working directory that decide what `launch` can honour: it gets their text. */
  consults?: readonly string[]
}

/** What lies about where a CLI will find it, whatever home it is given. */
export interface Surroundings {
  /** Absolute paths of SKILL.md files, links resolved. */
  skills: { user: readonly string[]; project: readonly string[] }
  /** The text of those files of `HomeDeclaration.consults` that are there. */
  consulted: Readonly<Record<string, string>>
}

/** A file that the runner writes (mode 0600) before the start. */
export interface PlannedFile {
  /** Relative to the home. */
  path: string
  content: string
  /** Default: `content` is the text itself. 'base64': it is bytes, for images. */
  encoding?: 'base64'
}

export interface LaunchContext {
  /** The CLI's version, 'unknown' where it cannot be told. */
  version: string
  /** The absolute path of the configuration directory; undefined with home 'user'. */
  home: string | undefined
  /** The absolute path of a 0700 directory of this turn's own, for `files`. The home, where it is private. */
  directory: string
  /** The working directory with its links resolved, as the CLI will see it. Absent: as in the options. */
  realCwd?: string
  platform: NodeJS.Platform
  /** The credential sets whose variables the child gets. Absent: nobody said. */
  credentials?: readonly string[]
  /** By credential set: the address that this turn's requests with that set must go to instead of the provider's. */
  forwarders?: Readonly<Record<string, string>>
  /** false: the user's own sign-in must not reach the child, also where it lies outside of the home. Absent: it may. */
  signIn?: boolean
  /** What the adapter's home declaration asks about. Absent: nobody looked. */
  surroundings?: Surroundings
  /** CLIs with a root check want to know. */
  isRoot: boolean
}

/** How to start one turn. */
export interface Launch {
  /** A command instead of the one that was found: for a CLI with one program per protocol. */
  binary?: string | readonly [string, ...string[]]
  arguments: string[]
  /** Set on top of the composed environment. No secrets but the endpoint's own credential. */
  environment: Record<string, string>
  files: PlannedFile[]
  /** Written to stdin, which is then closed. */
  stdin: string
  /** The signal that this CLI answers best: the one after which its tools are gone too. */
  firstSignal: 'SIGINT' | 'SIGTERM'
}

/** How to start a process that takes many turns. Its stdin stays open; closing it is how the process is asked to go. */
export interface LiveLaunch extends Omit<Launch, 'stdin'> {
  /** What the wire opens the conversation with: `WireStart.opening`. */
  opening: Readonly<Record<string, unknown>>
}

/** A two-way protocol of the CLI. */
export interface LiveProtocol {
  /** Below it, 'auto' falls back to the structured transport. */
  floor: string
  /** Pure. May throw AgentError 'unsupported' for what only the version decides. */
  launch(options: LiveLaunchOptions, context: LaunchContext): LiveLaunch
  /** A new wire, for one process. */
  wire(): Wire
  /** Where they differ from the structured transport's. */
  capabilities?: Partial<Capabilities>
}

/** A declared CLI, complete: what `defineAdapter` returns and everything else works with. */
export interface Adapter {
  readonly contract: 1
  readonly id: string
  /** What people call it, for tables: 'Claude Code'. */
  readonly title: string
  /** Names to look for on PATH, in order. */
  readonly binary: readonly [string, ...string[]]
  /** What starts it, where that is more than a name of `binary`: a path, or a command with its first arguments. */
  readonly command?: readonly [string, ...string[]]
  readonly version: {
    /** Below it a turn ends with `unsupported_version`. */
    floor: string
    /** The newest version that the fixtures were recorded from; above it a turn says `version_untested`. */
    tested: string
    /** Arguments that print the version. Default ['--version']. Empty: it is not started for that. */
    arguments?: readonly string[]
    /** npm packages whose own package.json tells the version without starting the CLI. */
    packages?: readonly string[]
  }
  /** How a person gets it: a command, or where to read on. */
  readonly install: string
  readonly credentials: readonly CredentialSet[]
  /**
   * Which one counts where the CLI gets several, the sign-in among them: one sentence, which a turn that has several says.
   * Absent where nobody knows, or where they belong to different providers.
   */
  readonly credentialOrder?: string
  /**
   * The same as data: names of sets, and 'sign-in', in ranks, the first counts. Where sets of several ranks are there, the
   * lower ones are kept from the child. Sets that are named nowhere, and all where this is absent, are of equal rank: any of
   * them may count.
   */
  readonly credentialPrecedence?: readonly (readonly string[])[]
  /** Secrets that the CLI need not have in its environment. */
  readonly pipes?: readonly SecretPipe[]
  readonly home: HomeDeclaration
  /** All that the versions in the tested range offer. Absent: nobody listed them. */
  readonly nativeTools?: readonly NativeTool[]
  readonly capabilities: Capabilities
  /**
   * Where `capabilities.outputSchema` is 'native': why this version cannot hold its model to this schema all the same, in words
   * that end a sentence, so that the prompt has to ask for it. Pure. Absent: it always can.
   */
  readonly withoutOutputSchema?: (
    schema: JsonSchema,
    context: { version: string; transport: 'structured' | 'live' },
  ) => string | undefined
  readonly structured: {
    /** Pure. May throw AgentError 'unsupported' for what only the version decides. */
    launch(options: LaunchOptions, context: LaunchContext): Launch
    /** A new wire, for one turn. */
    wire(): Wire
  }
  /** Absent: the CLI has no two-way protocol. */
  readonly live?: LiveProtocol
  /** true: it has no other protocol than `live`, and `structured` is never asked. */
  readonly liveOnly?: boolean
}

/** What `defineAdapter` takes: what is left out of `capabilities` counts as not supported. */
export interface AdapterDefinition
  extends Omit<Adapter, 'contract' | 'title' | 'binary' | 'install' | 'capabilities'> {
  /** Default: the id. */
  readonly title?: string
  readonly binary: string | readonly [string, ...string[]]
  readonly install?: string
  readonly capabilities?: Partial<Capabilities>
}

const noCapabilities: Capabilities = {
  streams: { text: 'block', thinking: 'none', toolInput: false, toolOutput: false },
  approvals: ['deny'],
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
  toolModes: ['native'],
  nativeToolLists: false,
  nativeShell: [],
  outputSchema: 'asked',
  promptExpansion: false,
  configuration: false,
  reservedArguments: {},
  reservedConfiguration: {},
  limits: [],
}

/** Declares a CLI. Nothing is started, read or written here. */
export function defineAdapter(definition: AdapterDefinition): Adapter {
  const { binary, capabilities } = definition
  return Object.freeze({
    title: definition.id,
    install: 'see its documentation',
    ...definition,
    contract: 1 as const,
    binary: typeof binary === 'string' ? ([binary] as const) : binary,
    capabilities: { ...noCapabilities, ...capabilities },
  })
}
