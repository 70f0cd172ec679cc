import type { CredentialVariables } from '../env/credentials.ts'
import { AgentError } from '../errors.ts'
import type { JsonSchema } from '../options/schema-types.ts'
import type { Wire } from '../protocol/wire.ts'
import { type Capabilities, noCapabilities } from './capabilities.ts'
import type { Forwarding, SecretPipe } from './exposure.ts'
import type { HomeDeclaration, Surroundings } from './home-declaration.ts'
import type { LaunchOptions, LiveLaunchOptions } from './launch-options.ts'
import type { NativeTool } from './native-tool.ts'

/** A named group of variables that together sign a CLI in. */
export interface CredentialSet extends CredentialVariables {
  /** How its secret can be kept from the agent's shell where no pipe of the adapter's takes it. */
  forwarding?: Forwarding | undefined
}

/** A file that the runner writes (mode 0600) before the start. */
export interface PlannedFile {
  /** Relative to the home. */
  path: string
  content: string
  /** Default: `content` is the text itself. 'base64': it is bytes, for images. */
  encoding?: 'base64' | undefined
}

export interface LaunchContext {
  /** The CLI's version, 'unknown' where it cannot be told. */
  version: string
  /** The absolute path of the configuration directory; undefined with home 'user'. */
  home: string | undefined
  /** The absolute path of a 0700 directory of this turn's own, for `files`. The home, where it is private. */
  directory: string
  /** The working directory with its links resolved, as the CLI will see it. Absent: as in the options. */
  realCwd?: string | undefined
  platform: NodeJS.Platform
  /** The credential sets whose variables the child gets. Absent: nobody said. */
  credentials?: readonly string[] | undefined
  /** By credential set: the address that this turn's requests with that set must go to instead of the provider's. */
  forwarders?: Readonly<Record<string, string>> | undefined
  /** false: the user's own sign-in must not reach the child, also where it lies outside of the home. Absent: it may. */
  signIn?: boolean | undefined
  /** What the adapter's home declaration asks about. Absent: nobody looked. */
  surroundings?: Surroundings | undefined
  /** CLIs with a root check want to know. */
  isRoot: boolean
}

/** How to start one turn. */
export interface Launch {
  /** A command instead of the one that was found: for a CLI with one program per protocol. */
  binary?: string | readonly [string, ...string[]] | undefined
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
  capabilities?: Partial<Capabilities> | undefined
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
  readonly command?: readonly [string, ...string[]] | undefined
  readonly version: {
    /** Below it a turn ends with `unsupported_version`. */
    floor: string
    /** The newest version that the fixtures were recorded from; above it a turn says `version_untested`. */
    tested: string
    /** Arguments that print the version. Default ['--version']. Empty: it is not started for that. */
    arguments?: readonly string[] | undefined
    /** npm packages whose own package.json tells the version without starting the CLI. */
    packages?: readonly string[] | undefined
  }
  /** How a person gets it: a command, or where to read on. */
  readonly install: string
  readonly credentials: readonly CredentialSet[]
  /**
   * Which one counts where the CLI gets several, the sign-in among them: one sentence, which a turn that has several says.
   * Absent where nobody knows, or where they belong to different providers.
   */
  readonly credentialOrder?: string | undefined
  /**
   * The same as data: names of sets, and 'sign-in', in ranks, the first counts. Where sets of several ranks are there, the
   * lower ones are kept from the child. Sets that are named nowhere, and all where this is absent, are of equal rank: any of
   * them may count.
   */
  readonly credentialPrecedence?: readonly (readonly string[])[] | undefined
  /** Secrets that the CLI need not have in its environment. */
  readonly pipes?: readonly SecretPipe[] | undefined
  readonly home: HomeDeclaration
  /** All that the versions in the tested range offer. Absent: nobody listed them. */
  readonly nativeTools?: readonly NativeTool[] | undefined
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
  readonly live?: LiveProtocol | undefined
  /** true: it has no other protocol than `live`, and `structured` is never asked. */
  readonly liveOnly?: boolean | undefined
}

/** What `defineAdapter` takes: what is left out of `capabilities` counts as not supported. */
export interface AdapterDefinition
  extends Omit<Adapter, 'contract' | 'title' | 'binary' | 'install' | 'capabilities'> {
  /** Default: the id. */
  readonly title?: string | undefined
  readonly binary: string | readonly [string, ...string[]]
  readonly install?: string | undefined
  readonly capabilities?: Partial<Capabilities> | undefined
}

/**
 * Declares a CLI. Nothing is started, read or written here.
 *
 * @throws AgentError `invalid_options` for an id that is none
 */
export function defineAdapter(definition: AdapterDefinition): Adapter {
  refuseName(definition.id)
  const { binary, title = definition.id, install = 'see its documentation', capabilities = {} } = definition
  return Object.freeze({
    ...definition,
    title,
    install,
    contract: 1 as const,
    binary: typeof binary === 'string' ? ([binary] as const) : binary,
    capabilities: { ...noCapabilities, ...capabilities },
  })
}

/** It is the name of folders. */
function refuseName(id: string): void {
  if (typeof id === 'string' && /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(id)) return
  throw new AgentError(
    'invalid_options',
    `${JSON.stringify(String(id).slice(0, 80))} is no id for an adapter.`,
    {
      hint: "Use lower-case words joined with '-': 'my-cli'.",
    },
  )
}
