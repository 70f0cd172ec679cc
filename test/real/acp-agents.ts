import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { realAcpAgents } from '../../scripts/real-clis.mjs'
import { type Adapter, acpAgent } from '../../src/index.ts'
import type { ModelServer } from '../../src/testing/model-server.ts'

export interface AgentAtHand {
  adapter: Adapter
  /** What its process needs of the host's environment. */
  environment: Record<string, string>
  home: { directory: string }
}

interface AcpAgentUnderTest {
  /** What it calls its shell tool. */
  shell: string
  /** What it tells of an answer that the token limit cut, of a refusal, and of a key that is refused. */
  failures: { maxTokens: string; refusal: string; unauthorized: string | undefined }
  /** Set up in this folder, with its model on this server. Its shell tool asks first. */
  settle(folder: string, server: ModelServer): Promise<AgentAtHand>
}

export const acpAgents: Readonly<Record<string, AcpAgentUnderTest>> = {
  'claude-agent-acp': {
    shell: 'Bash',
    // It asks the model again up to ten times after a 401.
    failures: { maxTokens: 'max_output', refusal: 'refused', unauthorized: undefined },
    settle: async (folder, server) => ({
      adapter: acpAgent({
        id: 'claude-agent-acp',
        command: commandOf('claude-agent-acp-0.49'),
        environment: {
          ANTHROPIC_BASE_URL: server.url,
          DISABLE_AUTOUPDATER: '1',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          IS_SANDBOX: '1',
        },
        credentials: [{ name: 'api-key', variables: ['ANTHROPIC_API_KEY'], billing: 'api' }],
        home: {
          variable: 'CLAUDE_CONFIG_DIR',
          userDirectory: '.claude',
          signIn: [],
          conversations: ['projects'],
        },
        modes: { 'approve-all': 'bypassPermissions' },
        usage: 'turn',
      }),
      environment: { ANTHROPIC_API_KEY: 'good for nothing' },
      home: { directory: join(folder, 'claude') },
    }),
  },
  opencode: {
    shell: 'bash',
    // Of an answer that the token limit cut it says end_turn.
    failures: { maxTokens: 'none', refusal: 'refused', unauthorized: 'auth' },
    settle: async (folder, server) => {
      const directory = join(folder, 'opencode')
      await mkdir(join(directory, 'opencode'), { recursive: true })
      await writeFile(join(directory, 'opencode', 'opencode.json'), JSON.stringify(opencodeSettings(server)))
      return {
        adapter: acpAgent({
          id: 'opencode',
          command: commandOf('opencode-1.18'),
          environment: {
            XDG_DATA_HOME: join(folder, 'data'),
            XDG_CACHE_HOME: join(folder, 'cache'),
            XDG_STATE_HOME: join(folder, 'state'),
          },
          home: { variable: 'XDG_CONFIG_HOME', userDirectory: '.config', signIn: [], conversations: [] },
        }),
        environment: {},
        home: { directory },
      }
    },
  },
}

function opencodeSettings(server: ModelServer) {
  const { url, credential } = server.endpointFor('openai-chat')
  return {
    autoupdate: false,
    share: 'disabled',
    model: 'loopback/skiff-1',
    small_model: 'loopback/skiff-1',
    permission: { bash: 'ask', edit: 'ask' },
    provider: {
      loopback: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Loopback',
        options: { baseURL: url, apiKey: credential },
        models: { 'skiff-1': { name: 'Skiff', limit: { context: 200_000, output: 8_000 } } },
      },
    },
  }
}

function commandOf(alias: string): readonly [string, ...string[]] {
  const found = realAcpAgents.find((agent) => agent.alias === alias)
  if (!found) throw new Error(`No real ACP agent "${alias}".`)
  return found.command
}
