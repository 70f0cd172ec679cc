import { z } from 'zod'
import type { Adapter } from '../adapters/adapter.ts'
import type { BridgeTool } from './bridge-tool.ts'
import {
  byName,
  directory,
  flag,
  headers,
  httpUrl,
  isObject,
  line,
  milliseconds,
  oneOf,
  text,
  texts,
  word,
} from './kinds.ts'
import { guarded, unsaidIn } from './plain-data.ts'
import type { Schema } from './schema-types.ts'
import type { ApprovalCallback, LogEntry } from './turn-options.ts'

/**
 * The shape of `TurnOptions`. It only tells right from wrong at the boundary: what an adapter can honour is checked after it
 * (honoured.ts), and its messages become one line in check.ts. They name types, never values: a value may be a secret.
 */

const promptPart = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('text'), text }),
    z.strictObject({
      type: z.literal('image'),
      mimeType: text.regex(/^image\/[a-z0-9.+-]+$/, {
        error: 'expected the type of an image, such as "image/png"',
      }),
      data: text.min(1, { error: 'must not be empty' }).refine(isBase64, {
        error: 'expected base64, without a "data:" prefix or line breaks',
      }),
    }),
  ],
  { error: "expected a part of type 'text' or 'image'" },
)

/** Linear and without the stack that a regular expression over megabytes would want. */
function isBase64(data: string): boolean {
  return data.length % 4 === 0 && !/[^A-Za-z0-9+/=]/.test(data) && /^[^=]*={0,2}$/.test(data.slice(-4))
}

const credentials = z.union(
  [
    z.enum(['inherit', 'none']),
    z.strictObject({
      set: word.optional(),
      values: z.record(z.string(), line).optional(),
    }),
  ],
  { error: "expected 'inherit', 'none' or { set?, values? } with texts as values" },
)

export const turnOptionsSchema = z.strictObject({
  adapter: z.union([z.string(), z.custom<Adapter>(isObject)], {
    error: 'expected the id of an adapter, or an adapter made with defineAdapter()',
  }),
  prompt: z.union([z.string(), z.array(promptPart)], {
    error: 'expected a text, or a list of text and image parts',
  }),
  promptExpansion: flag.optional(),
  cwd: line.optional(),
  model: word.optional(),
  effort: word.optional(),
  systemPrompt: z
    .strictObject(
      { append: line.optional(), replace: line.optional() },
      { error: 'expected { append?, replace? }' },
    )
    .optional(),
  outputSchema: z
    .custom<Schema>((value) => isObject(value) || typeof value === 'function', {
      error: 'expected a zod schema or a JSON Schema',
    })
    .optional(),

  resume: word
    .regex(/^[^/\\]*$/, { error: "expected the sessionId of an earlier 'session' event" })
    .optional(),
  fork: flag.optional(),
  conversations: z
    .union([z.enum(['keep', 'discard']), directory], {
      error: "expected 'keep', 'discard' or { directory: path }",
    })
    .optional(),

  transport: oneOf('auto', 'structured', 'live', 'tmux').optional(),
  liveInput: oneOf('none', 'optional', 'required').optional(),
  approvals: z
    .union(
      [
        z.enum(['deny', 'auto', 'approve-all', 'host']),
        z.custom<ApprovalCallback>((value) => typeof value === 'function'),
      ],
      { error: "expected 'deny', 'auto', 'approve-all', 'host' or a callback" },
    )
    .optional(),
  sandbox: oneOf('read-only', 'workspace-write', 'off').optional(),
  network: flag.optional(),
  tools: z
    .strictObject(
      {
        mode: oneOf('native', 'hybrid', 'mcp_only'),
        allow: texts.optional(),
        deny: texts.optional(),
        strict: flag.optional(),
      },
      { error: 'expected { mode, allow?, deny?, strict? }' },
    )
    .optional(),
  mcpServers: byName(
    text.regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_)){0,39}(?<!_)$/, {
      error: 'expected the name of a server: up to 40 letters, digits, "-" and single "_"',
    }),
    z.discriminatedUnion(
      'type',
      [
        z.strictObject({
          type: z.literal('stdio'),
          command: line,
          args: texts.optional(),
          env: byName(z.string(), text, 'expected an object of names and texts').optional(),
        }),
        z.strictObject({ type: z.literal('http'), url: httpUrl, headers }),
      ],
      { error: "expected a server of type 'stdio' or 'http'" },
    ),
    'expected an object of servers by name',
  ).optional(),
  bridge: z
    .array(
      z.custom<BridgeTool>(
        (value) => isObject(value) && guarded(() => 'name' in value && 'execute' in value) !== false,
        {
          error: 'expected a tool: { name, description, input, execute }',
        },
      ),
      { error: 'expected a list of tools' },
    )
    .optional(),
  apiTransport: oneOf('bridge_shell', 'native_shell', 'disabled').optional(),
  backgroundTasks: oneOf('forbid', 'wait').optional(),
  budgets: z
    .strictObject(
      {
        totalMs: milliseconds.optional(),
        firstEventMs: milliseconds.optional(),
        idleMs: milliseconds.optional(),
        toolMs: milliseconds.optional(),
        interactionMs: milliseconds.optional(),
        lingerMs: milliseconds.optional(),
      },
      { error: 'expected an object of budgets in milliseconds' },
    )
    .optional(),
  signal: z.custom<AbortSignal>(isSignal, { error: 'expected an AbortSignal' }).optional(),

  // A name without a value is a blank one, which grants nothing and is refused like any other where it is none of a scope's.
  scope: z
    .record(
      z.string(),
      text.optional().transform((value) => value ?? ''),
      {
        error: 'expected an object of names and texts',
      },
    )
    .optional(),
  // process.env is no plain object, so z.record refuses it.
  environment: z
    .custom<Record<string, string | undefined>>(isEnvironment, {
      error: 'expected an object of names and texts, such as process.env',
    })
    .optional(),
  inherit: texts.optional(),
  reserve: texts.optional(),
  git: oneOf('keep', 'neutral').optional(),
  credentials: credentials.optional(),
  billing: oneOf('any', 'api', 'subscription').optional(),
  credentialExposure: oneOf('auto', 'hidden', 'visible').optional(),
  redact: z
    .union([z.boolean(), z.array(z.string())], { error: 'expected true, false or a list of texts to hide' })
    .optional(),
  home: z
    .union([z.enum(['private', 'user']), directory], {
      error: "expected 'private', 'user' or { directory: path }",
    })
    .optional(),
  projectConfiguration: oneOf('ignore', 'trust').optional(),
  projectInstructions: flag.optional(),

  endpoint: z
    .strictObject(
      {
        url: httpUrl,
        api: oneOf('anthropic', 'openai-responses', 'openai-chat').optional(),
        credential: line.optional(),
        headers,
      },
      { error: 'expected { url, api?, credential?, headers? }' },
    )
    .optional(),
  configuration: z
    .record(z.string(), z.unknown(), { error: 'expected an object of settings' })
    .refine((value) => unsaidIn(value) === undefined, { error: 'expected settings that JSON can say' })
    .optional(),
  arguments: texts.optional(),
  binary: z
    .union([line, z.tuple([line], line)], {
      error: 'expected a path, or a command with its first arguments as a list',
    })
    .optional(),
  includeRaw: flag.optional(),
  log: z
    .custom<(entry: LogEntry) => void>((value) => typeof value === 'function', {
      error: 'expected a function',
    })
    .optional(),
})

export type ParsedOptions = z.infer<typeof turnOptionsSchema>

/** Of whichever realm or library. */
function isSignal(value: unknown): boolean {
  const found = guarded(() => {
    if (!isObject(value) || !('aborted' in value) || !('addEventListener' in value)) return false
    return typeof value.aborted === 'boolean' && typeof value.addEventListener === 'function'
  })
  return found === true
}

function isEnvironment(value: unknown): boolean {
  return (
    isObject(value) &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => each === undefined || typeof each === 'string')
  )
}
