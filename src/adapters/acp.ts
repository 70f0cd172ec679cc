import { AgentError } from '../errors.ts'
import type { Approvals } from '../options/option-parts.ts'
import { acpServers } from './acp/mcp.ts'
import { AcpWire } from './acp/wire.ts'
import { type Adapter, type CredentialSet, defineAdapter } from './adapter.ts'
import type { HomeDeclaration } from './home-declaration.ts'
import type { LiveLaunchOptions } from './launch-options.ts'

/** An agent that speaks the Agent Client Protocol on its stdin and stdout. */
export interface AcpAgentOptions {
  /** Lower-case words joined with '-': 'opencode'. */
  id: string
  /** What starts it: ['opencode', 'acp']. A name is looked for on PATH. The option `binary` of a turn replaces it whole. */
  command: readonly [string, ...string[]]
  /** Default: the id. */
  title?: string | undefined
  /** How a person gets it. */
  install?: string | undefined
  /** What its process gets on top of the composed environment. No secrets: those belong in `credentials`. */
  environment?: Readonly<Record<string, string>> | undefined
  /** The variables that sign it in; no other credential reaches it. Default: none. */
  credentials?: readonly CredentialSet[] | undefined
  /** The variable that moves its configuration. Default: none, so that it always runs on the user's own. */
  home?: HomeDeclaration | undefined
  /** The way to sign in ('cursor_login') that is taken before a conversation is opened, where the agent offers it. Default: none. */
  authMethod?: string | undefined
  /** The agent's session mode for each setting of `approvals`. Default: the one it begins with. 'auto' needs one. */
  modes?: Partial<Readonly<Record<Approvals | 'host', string>>> | undefined
  /**
   * 'turn': the agent's answer to a prompt counts the tokens of that turn. Agents disagree on it, so the default is not to tell
   * any: opencode counts the last model call alone.
   */
  usage?: 'turn' | undefined
}

const noHome: HomeDeclaration = {
  variable: '',
  userDirectory: '',
  signIn: [],
  signInElsewhere: true,
  conversations: [],
}

/** An adapter for any agent of the Agent Client Protocol. Nothing is started here. */
export function acpAgent(agent: AcpAgentOptions): Adapter {
  const { id, command, environment = {}, credentials = [], home = noHome, modes = {} } = agent
  const { authMethod, usage } = agent
  const launch = (options: Pick<LiveLaunchOptions, 'approvals' | 'arguments' | 'mcpServers'>) => ({
    arguments: [...options.arguments],
    environment: { ...environment },
    files: [],
    firstSignal: 'SIGTERM' as const,
    opening: {
      approvals: options.approvals,
      mode: modes[options.approvals],
      mcpServers: acpServers(id, options.mcpServers),
    },
  })
  return defineAdapter({
    id,
    ...(agent.title !== undefined && { title: agent.title }),
    ...(agent.install !== undefined && { install: agent.install }),
    binary: command[0],
    command,
    // It tells its version when it is greeted.
    version: { floor: '0.0.0', tested: '0.0.0', arguments: [] },
    credentials,
    home,
    liveOnly: true,
    capabilities: {
      streams: { text: 'token', thinking: 'token', toolInput: false, toolOutput: true },
      approvals: modes.auto === undefined ? ['deny', 'approve-all'] : ['deny', 'auto', 'approve-all'],
      images: true,
      resume: true,
      fork: true,
      mcpServers: ['stdio', 'http'],
      toolModes: ['native', 'hybrid'],
      promptExpansion: true,
      projectConfiguration: ['trust'],
      limits: [
        ...(home === noHome ? ['It runs on the configuration of the user, whatever `home` says.'] : []),
        "approvals 'deny' refuses what the agent asks for, 'approve-all' allows it; what it does unasked runs either way.",
        'Hooks, MCP servers and instructions of the project reach the agent as they would without coxswain.',
        'Whether it takes images, resumes and forks is known only when it was greeted; what it cannot, ends the turn as unsupported.',
        'ACP has no steering: what is said to a running turn becomes the next turn of its session.',
        'ACP cannot change the input of a tool call, nor say why one was denied.',
        ...(usage === undefined ? ['Its tokens are not told, for nobody knows what it counts.'] : []),
        "It gets `mcpServers` and `bridge` with the conversation, besides its own tools: ACP takes none of these away, so there is no tools.mode 'mcp_only'. Whether it takes servers over HTTP is known only when it was greeted.",
        'An agent may go on without a server that it does not reach, and may read more into a value than it says: claude-agent-acp 0.49.0 puts variables into them.',
        'A prompt that begins with / gets a space before it, so that it is no command of the agent.',
      ],
    },
    structured: {
      launch: () => {
        throw new AgentError('unsupported', `${id} has no one-shot protocol.`, {
          hint: "Use transport: 'live'.",
        })
      },
      wire: () => new AcpWire({ agent: id }),
    },
    live: { floor: '0.0.0', launch, wire: () => new AcpWire({ agent: id, authMethod, usage }) },
  })
}
