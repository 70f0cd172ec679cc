import { createHash } from 'node:crypto'
import { defineAdapter } from './adapter.ts'
import { cursorAcp } from './cursor-cli/acp.ts'
import { launchCursor, launchCursorAcp } from './cursor-cli/launch.ts'
import { cursorNativeTools } from './cursor-cli/native-tools.ts'
import { cursorStreamJson } from './cursor-cli/stream-json.ts'

/**
 * Cursor's CLI, over `--print` and over ACP. It is in no registry and talks only to its own backend, so this adapter is built from public notes
 * and recordings, and tested on those and on a stand-in; never on the CLI itself.
 */
export const cursorCli = defineAdapter({
  id: 'cursor-cli',
  title: 'Cursor CLI',
  // `agent` is the newer name of the same program, but also that of others: it comes second, and their versions are below the
  // floor. Never `cursor`: that opens the editor.
  binary: ['cursor-agent', 'agent'],
  version: { floor: '2026.01.28', tested: '2026.09.15' },
  install: 'curl https://cursor.com/install -fsS | bash',
  credentials: [
    { name: 'api-key', variables: ['CURSOR_API_KEY'], billing: 'subscription' },
    { name: 'auth-token', variables: ['CURSOR_AUTH_TOKEN'], billing: 'subscription' },
  ],
  home: {
    variable: 'CURSOR_CONFIG_DIR',
    userDirectory: '.cursor',
    // The file store of macOS. On Linux the CLI reads ~/.config/cursor/auth.json (XDG_CONFIG_HOME), on macOS by default the
    // keychain: neither moves with the configuration directory, so there both are found without a link.
    signIn: ['auth.json'],
    signInElsewhere: true,
    // Whatever signs it in, Cursor bills the account.
    signInBilling: () => 'subscription',
    conversations: ['chats'],
    conversation: (sessionId, cwd) => `chats/${createHash('md5').update(cwd).digest('hex')}/${sessionId}`,
  },
  nativeTools: cursorNativeTools,
  capabilities: {
    streams: { text: 'token', thinking: 'token', toolInput: false, toolOutput: false },
    approvals: ['deny', 'auto', 'approve-all'],
    // No 'read-only': `--mode ask` is a stance of the agent, and nobody has recorded that it holds.
    sandbox: ['workspace-write'],
    network: false,
    systemPrompt: { append: false, replace: false },
    // A suffix of the model's name ('-high'), other for each model: it belongs in `model`.
    effort: [],
    images: false,
    resume: true,
    fork: false,
    endpoint: [],
    backgroundTasks: ['forbid'],
    projectConfiguration: ['ignore', 'trust'],
    withoutProjectInstructions: false,
    mcpServers: ['stdio', 'http'],
    // No 'mcp_only': no public switch takes its own tools away.
    toolModes: ['native', 'hybrid'],
    nativeToolLists: true,
    promptExpansion: false,
    configuration: true,
    reservedArguments: {
      '-p': 'transport',
      '--print': 'transport',
      '--output-format': 'transport',
      '--stream-partial-output': 'transport',
      '-v': 'binary',
      '--version': 'binary',
      '-c': 'transport',
      '--cloud': 'transport',
      '-b': 'transport',
      '--background': 'transport',
      '--list-models': 'model',
      '--model': 'model',
      '--resume': 'resume',
      '--continue': 'resume',
      '--new-session-id': 'resume',
      '-f': 'approvals',
      '--force': 'approvals',
      '--yolo': 'approvals',
      '--auto-review': 'approvals',
      '--sandbox': 'sandbox',
      '--trust': 'projectConfiguration',
      '--approve-mcps': 'projectConfiguration',
      '--workspace': 'cwd',
      '-w': 'cwd',
      '--worktree': 'cwd',
      '--data-dir': 'home',
      '--api-key': 'credentials',
      '--auth-token': 'credentials',
      '-H': 'credentials',
      '--header': 'credentials',
      '-e': 'endpoint',
      '--endpoint': 'endpoint',
      '--agent-endpoint': 'endpoint',
      '-k': 'endpoint',
      '--insecure': 'endpoint',
      '--system-prompt': 'systemPrompt',
      '--allowed-tools': 'tools',
      '--exclude-tools': 'tools',
    },
    reservedConfiguration: {
      approvalMode: 'approvals',
      sandbox: 'sandbox',
      model: 'model',
      selectedModel: 'model',
      authInfo: 'credentials',
    },
    limits: [
      "The adapter was tested on recordings and on a stand-in only: Cursor's CLI is in no registry and talks only to its own backend.",
      'Whether the CLI expands /commands, @files or a leading & of a prompt that comes by stdin is not known; the prompt is sent as it is.',
      "Hooks of Claude Code in ~/.claude and in the project's .claude are imported by the CLI where it has none of its own, and may run.",
      "projectConfiguration: 'ignore' keeps the project's MCP servers unapproved and no more: the hooks of its .cursor folder run, its rules reach the model, its permissions count.",
      "projectConfiguration: 'trust' approves its MCP servers (--approve-mcps); whether those of ~/.cursor/mcp.json come along into a private home is not known.",
      'AGENTS.md, CLAUDE.md and what the account or team prescribes (rules, hooks, MCP servers) reach the model.',
      "sandbox 'workspace-write' confines shell commands by the CLI's own sandbox; file edits are confined by its approval rules, which 'approve-all' lifts.",
      "approvals 'deny' refuses what the CLI would ask for; reads, and edits in the workspace, it does unasked.",
      "approvals 'auto' (--auto-review) depends on the account, and was seen to wait for a person: set a budget.",
      "MCP servers lie in the private home's mcp.json with their approvals, as others tell of these files, and on the live transport in session/new besides; whether the CLI finds them there, nobody has seen. Where it does not, the turn goes on without them.",
      "There is no tools.mode 'mcp_only': no public switch takes its own tools away.",
      'Of its own tools, tools.deny can name shell, read, edit, write, delete (these three are one) and webFetch, and tools.allow none. They are offered still, and so are tools of a server that were not let through: permissions refuse their calls, and a call ends the turn.',
      'The CLI updates itself, even during a run; no switch against it is known.',
      'On the live transport (ACP) a conversation cannot be resumed, no tokens are told, and what is said to a running turn becomes the next one; nobody has seen whether it asks for trust in a directory.',
      'An unknown `resume` begins a new conversation under that id without a word; whether it was found is only known with a private home.',
    ],
  },
  structured: { launch: launchCursor, wire: cursorStreamJson },
  live: {
    // The oldest that somebody tells of having driven over ACP.
    floor: '2026.06.04',
    launch: launchCursorAcp,
    wire: cursorAcp,
    // session/load finds nothing that another process began (2026.09.18).
    capabilities: { images: true, resume: false },
  },
})
