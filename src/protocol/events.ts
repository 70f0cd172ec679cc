import type { CompletionPayload, CompletionStatement, Usage } from './outcome.ts'

/** ACP's ToolKind. */
export type ToolKind =
  | 'read'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'execute'
  | 'think'
  | 'fetch'
  | 'switch_mode'
  | 'other'

export type ToolStatus = 'completed' | 'failed' | 'rejected' | 'interrupted' | 'retracted'

export type ContentBlock =
  | { type: 'text'; text: string }
  /** `data` is base64. */
  | { type: 'image'; mimeType: string; data: string }

export interface ToolLocation {
  path: string
  /** 1-based. */
  line?: number
}

export interface McpServerState {
  name: string
  status: string
}

export type PlanEntryStatus = 'pending' | 'in_progress' | 'completed'

export interface PlanEntry {
  content: string
  status: PlanEntryStatus
  priority?: 'high' | 'medium' | 'low'
}

export type DecisionWord = 'allow' | 'deny' | 'cancel'

export interface InteractionOption {
  optionId: string
  name: string
  kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always'
}

/** Fields of every event. */
export interface EventEnvelope {
  /** 0, 1, 2, ... without gaps. */
  seq: number
  /** Milliseconds since the epoch. */
  at: number
  /** The adapter's id. */
  adapter: string
  /** The record that caused it; only with `includeRaw`. */
  raw?: unknown
}

interface FromSpeaker {
  /** The parent's tool call, when a sub-agent speaks. */
  parentToolId?: string
}

export interface SessionPayload {
  type: 'session'
  sessionId: string
  transport: 'structured' | 'live'
  model?: string
  cwd?: string
  tools?: string[]
  mcpServers?: McpServerState[]
  cliVersion?: string
  origin: 'new' | 'resumed' | 'forked'
}

export interface DeltaPayload extends FromSpeaker {
  type: 'delta'
  messageId: string
  text: string
  /** true: a fragment, append it as it is. false: a whole block. */
  contentDelta: boolean
}

export interface ThinkingPayload extends FromSpeaker {
  type: 'thinking'
  messageId: string
  text: string
  contentDelta: boolean
}

export interface MessagePayload extends FromSpeaker {
  type: 'message'
  messageId: string
  providerMessageId?: string
  text: string
  /** `retracted`: the CLI threw it away; drop what you showed. */
  status: 'completed' | 'retracted' | 'interrupted'
  /** The messageId that this one carries on in mid-sentence: append with nothing between. */
  continues?: string
}

interface ToolFields extends FromSpeaker {
  type: 'tool'
  toolId: string
  name: string
  kind: ToolKind
  /** The MCP server that the tool belongs to. */
  server?: string
}

export interface ToolStartPayload extends ToolFields {
  phase: 'start'
  locations?: ToolLocation[]
}

export interface ToolInputPayload extends ToolFields {
  phase: 'input'
  /** A fragment of the input's JSON text. */
  inputDelta?: string
  /** The full parsed input, at most once. */
  input?: unknown
  locations?: ToolLocation[]
}

export interface ToolOutputPayload extends ToolFields {
  phase: 'output'
  /** Appends. */
  outputDelta?: string
  /** Replaces. */
  output?: string
}

export interface ToolEndPayload extends ToolFields {
  phase: 'end'
  status: ToolStatus
  output?: string
  content?: ContentBlock[]
  exitCode?: number
  locations?: ToolLocation[]
}

export type ToolPayload = ToolStartPayload | ToolInputPayload | ToolOutputPayload | ToolEndPayload

export interface PlanPayload extends FromSpeaker {
  type: 'plan'
  entries: PlanEntry[]
}

export interface InteractionPayload extends FromSpeaker {
  type: 'interaction'
  interactionId: string
  phase: 'request' | 'resolved'
  kind: 'approval' | 'question' | 'plan' | 'form'
  title: string
  toolId?: string
  options?: InteractionOption[]
  schema?: unknown
  decision?: DecisionWord
  by?: 'host' | 'callback' | 'default' | 'cli'
}

export interface UsagePayload {
  type: 'usage'
  usage: Usage
}

export interface NoticePayload extends FromSpeaker {
  type: 'notice'
  level: 'info' | 'warning' | 'error'
  /** snake_case; more may come. */
  code: string
  message: string
  details?: unknown
}

export type SessionEvent = SessionPayload & EventEnvelope
export type DeltaEvent = DeltaPayload & EventEnvelope
export type ThinkingEvent = ThinkingPayload & EventEnvelope
export type MessageEvent = MessagePayload & EventEnvelope
export type ToolEvent = ToolPayload & EventEnvelope
export type PlanEvent = PlanPayload & EventEnvelope
export type InteractionEvent = InteractionPayload & EventEnvelope
export type UsageEvent = UsagePayload & EventEnvelope
export type NoticeEvent = NoticePayload & EventEnvelope
export type CompletionEvent<S = unknown> = CompletionPayload<S> & EventEnvelope

/** One event of a turn. Ignore types that you do not know: more may come. */
export type AgentEvent =
  | SessionEvent
  | DeltaEvent
  | ThinkingEvent
  | MessageEvent
  | ToolEvent
  | PlanEvent
  | InteractionEvent
  | UsageEvent
  | NoticeEvent
  | CompletionEvent

/** An event as a wire says it: without the envelope, and with the completion as far as the wire knows it. */
export type WireEvent =
  | SessionPayload
  | DeltaPayload
  | ThinkingPayload
  | MessagePayload
  | ToolPayload
  | PlanPayload
  | InteractionPayload
  | UsagePayload
  | NoticePayload
  | CompletionStatement
