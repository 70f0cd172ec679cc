import { z } from 'zod'
import { errorCodes } from '../errors.ts'
import type { AgentEvent } from './events.ts'

/** The shapes of events.ts for the boundaries: stored events, tests, other processes. Nothing is checked with it per record. */

const optional = z.exactOptional
const count = z.int().min(0)
const milliseconds = z.number().min(0)

const envelope = {
  seq: count,
  at: milliseconds,
  adapter: z.string().min(1),
  raw: z.unknown().optional(),
}
const speaker = { parentToolId: optional(z.string()) }

const usage = z.object({
  basis: z.enum(['turn', 'conversation']),
  inputTokens: optional(count),
  cachedInputTokens: optional(count),
  cacheWriteTokens: optional(count),
  outputTokens: optional(count),
  reasoningTokens: optional(count),
})

const content = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), mimeType: z.string(), data: z.string() }),
])

const locations = optional(z.array(z.object({ path: z.string(), line: optional(z.int().min(1)) })))

const session = z.object({
  ...envelope,
  type: z.literal('session'),
  sessionId: z.string(),
  transport: z.enum(['structured', 'live']),
  model: optional(z.string()),
  cwd: optional(z.string()),
  tools: optional(z.array(z.string())),
  mcpServers: optional(z.array(z.object({ name: z.string(), status: z.string() }))),
  cliVersion: optional(z.string()),
  origin: z.enum(['new', 'resumed', 'forked']),
})

const fragment = { messageId: z.string().min(1), text: z.string().min(1), contentDelta: z.boolean() }
const delta = z.object({ ...envelope, ...speaker, type: z.literal('delta'), ...fragment })
const thinking = z.object({ ...envelope, ...speaker, type: z.literal('thinking'), ...fragment })

const message = z.object({
  ...envelope,
  ...speaker,
  type: z.literal('message'),
  messageId: z.string().min(1),
  providerMessageId: optional(z.string()),
  text: z.string(),
  status: z.enum(['completed', 'retracted', 'interrupted']),
  continues: optional(z.string()),
})

const toolFields = {
  ...envelope,
  ...speaker,
  type: z.literal('tool'),
  toolId: z.string().min(1),
  name: z.string().min(1),
  kind: z.enum([
    'read',
    'edit',
    'delete',
    'move',
    'search',
    'execute',
    'think',
    'fetch',
    'switch_mode',
    'other',
  ]),
  server: optional(z.string()),
}

const tool = z.discriminatedUnion('phase', [
  z.object({ ...toolFields, phase: z.literal('start'), locations }),
  z.object({
    ...toolFields,
    phase: z.literal('input'),
    inputDelta: optional(z.string()),
    input: z.unknown().optional(),
    locations,
  }),
  z.object({
    ...toolFields,
    phase: z.literal('output'),
    outputDelta: optional(z.string()),
    output: optional(z.string()),
  }),
  z.object({
    ...toolFields,
    phase: z.literal('end'),
    status: z.enum(['completed', 'failed', 'rejected', 'interrupted', 'retracted']),
    output: optional(z.string()),
    content: optional(z.array(content)),
    exitCode: optional(z.int()),
    locations,
  }),
])

const plan = z.object({
  ...envelope,
  ...speaker,
  type: z.literal('plan'),
  entries: z.array(
    z.object({
      content: z.string(),
      status: z.enum(['pending', 'in_progress', 'completed']),
      priority: optional(z.enum(['high', 'medium', 'low'])),
    }),
  ),
})

const interaction = z.object({
  ...envelope,
  ...speaker,
  type: z.literal('interaction'),
  interactionId: z.string().min(1),
  phase: z.enum(['request', 'resolved']),
  kind: z.enum(['approval', 'question', 'plan', 'form']),
  title: z.string(),
  toolId: optional(z.string()),
  options: optional(
    z.array(
      z.object({
        optionId: z.string(),
        name: z.string(),
        kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always']),
      }),
    ),
  ),
  schema: z.unknown().optional(),
  decision: optional(z.enum(['allow', 'deny', 'cancel'])),
  by: optional(z.enum(['host', 'callback', 'default', 'cli'])),
})

const usageEvent = z.object({ ...envelope, type: z.literal('usage'), usage })

const notice = z.object({
  ...envelope,
  ...speaker,
  type: z.literal('notice'),
  level: z.enum(['info', 'warning', 'error']),
  code: z.string().regex(/^[a-z][a-z0-9_]*$/),
  message: z.string().min(1),
  details: z.unknown().optional(),
})

const completionFields = {
  ...envelope,
  type: z.literal('completion'),
  text: z.string(),
  stopReason: optional(z.enum(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'])),
  sessionId: optional(z.string()),
  usage: optional(usage),
  costUsd: optional(z.number().min(0)),
  credentialExposure: z.enum(['hidden', 'visible', 'none']),
  evidence: z.object({
    by: z.enum(['record', 'exit', 'signal', 'budget', 'spawn', 'host']),
    detail: z.string().min(1),
  }),
  ledger: z.object({
    bytes: count,
    records: count,
    ignored: count,
    unknown: count,
    invalid: count,
    oversized: count,
  }),
  stderrTail: z.string(),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  durationMs: milliseconds,
}

const completion = z.discriminatedUnion('status', [
  z.object({
    ...completionFields,
    status: z.literal('success'),
    structuredOutput: z.unknown().optional(),
    error: optional(z.never()),
  }),
  z.object({
    ...completionFields,
    status: z.enum(['error', 'interrupted', 'timeout']),
    structuredOutput: optional(z.never()),
    error: z.object({
      code: z.enum(errorCodes),
      message: z.string().min(1),
      retryable: z.boolean(),
      retryAt: optional(milliseconds),
      hint: optional(z.string()),
      issues: optional(
        z.array(z.object({ path: z.string(), message: z.string(), fix: optional(z.string()) })),
      ),
    }),
  }),
])

/** Known by its inferred type to the test that binds it to `AgentEvent` both ways. */
export const eventShapes = z.discriminatedUnion('type', [
  session,
  delta,
  thinking,
  message,
  tool,
  plan,
  interaction,
  usageEvent,
  notice,
  completion,
])

/** Checks one event. Fields that this version does not know are left out of the result, unknown types are refused. */
export const agentEventSchema: z.ZodType<AgentEvent> = eventShapes
