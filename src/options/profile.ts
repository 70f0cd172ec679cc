import { z } from 'zod'
import { listed } from './kinds.ts'

/**
 * How a product runs its agents, as it is written down once: in a file, a database, a form. `resolveProfile` makes a turn's
 * options of it for one CLI. Default: as little as possible, the bridge's tools alone.
 */
export interface RuntimeProfile {
  /** Default 'auto'. */
  transport: 'auto' | 'structured' | 'live' | 'tmux'
  /** Default 'optional'. */
  liveInput: 'none' | 'optional' | 'required'
  /** Default 'mcp_only'. 'hybrid': the CLI's own tools as well. */
  agentTools: { mode: 'mcp_only' | 'hybrid' }
  /**
   * How the agent reaches the product's own interface. 'bridge_shell' (default): through tools of the bridge. 'native_shell',
   * experimental: from the CLI's own shell, by the routes in MCP_API_URL and its like. 'disabled': not at all.
   */
  apiTransport: { mode: 'bridge_shell' | 'native_shell' | 'disabled' }
  /** As in a turn's options. Default 'deny': nothing can ask. */
  approvals: 'deny' | 'auto' | 'approve-all' | 'host'
  /** Names of tools. `enabled` is the allow-list, `additionalBridge` are more of the bridge's. */
  tools: { enabled?: string[] | undefined; additionalBridge?: string[] | undefined }
  /** In 'native_shell' it must name the route, or the agent cannot know of it. A text is appended to the CLI's own. */
  systemPrompt?: string | { append?: string | undefined; replace?: string | undefined } | undefined
}

const fallback = {
  agentTools: { mode: 'mcp_only' },
  apiTransport: { mode: 'bridge_shell' },
} as const

/** Where a text goes, an empty one and a NUL cannot. */
const words = z
  .string()
  .min(1, { error: 'must not be empty' })
  .refine((value) => !value.includes('\0'), { error: 'must not hold a NUL character' })

export const runtimeProfileSchema = z.strictObject(
  {
    transport: oneOf('auto', 'structured', 'live', 'tmux').default('auto'),
    liveInput: oneOf('none', 'optional', 'required').default('optional'),
    agentTools: z
      .strictObject({ mode: oneOf('mcp_only', 'hybrid').default('mcp_only') }, { error: 'expected { mode }' })
      .default(fallback.agentTools),
    apiTransport: z
      .strictObject(
        { mode: oneOf('bridge_shell', 'native_shell', 'disabled').default('bridge_shell') },
        { error: 'expected { mode }' },
      )
      .default(fallback.apiTransport),
    approvals: oneOf('deny', 'auto', 'approve-all', 'host').default('deny'),
    tools: z
      .strictObject(
        { enabled: names().optional(), additionalBridge: names().optional() },
        { error: 'expected { enabled?, additionalBridge? }' },
      )
      .default({}),
    systemPrompt: z
      .union([words, z.strictObject({ append: words.optional(), replace: words.optional() })], {
        error: 'expected a text, or { append?, replace? }',
      })
      .optional(),
  },
  { error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'expected a profile') },
) satisfies z.ZodType<RuntimeProfile>

function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words, { error: `expected ${listed(words)}` })
}

function names() {
  const name = z
    .string({ error: 'expected the name of a tool' })
    .refine((value) => !value.includes('\0'), { error: 'must not hold a NUL character' })
  return z.array(name, { error: 'expected a list of tool names' })
}
