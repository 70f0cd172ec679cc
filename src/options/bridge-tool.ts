import type { OutputOf, Schema, StandardSchema } from './schema-types.ts'

/** What a function hears and says while it runs as a tool. */
export interface ToolContext {
  /** Aborted when the caller cancels, when the call takes longer than its limit, and when the session ends. */
  readonly signal: AbortSignal
  /** The session of the bridge that calls: one agent's, one turn's. */
  readonly sessionId: string
  /** Says how far it is. Each call with a higher number; `total` where it is known. Lost where nobody asked for it. */
  progress(progress: number, total?: number, message?: string): void
}

/** Hints for the client, as MCP has them. A client may ask its user on account of them; none of them is enforced. */
export interface ToolAnnotations {
  title?: string | undefined
  /** Changes nothing. */
  readOnlyHint?: boolean | undefined
  /** May destroy something. */
  destructiveHint?: boolean | undefined
  /** Doing it twice is the same as once. */
  idempotentHint?: boolean | undefined
  /** Reaches out of the product: the web, for instance. */
  openWorldHint?: boolean | undefined
}

/** What `execute` gets: what the schema makes of the input, or the fields of an object where it has no types. */
export type ToolInput<Input extends Schema> =
  Input extends StandardSchema<infer _Given, infer Made> ? Made : Record<string, unknown>

/** What `execute` returns: what its `output` schema takes, or anything that JSON has, text, or MCP content blocks. */
export type ToolOutput<Output extends Schema> = [Output] extends [never]
  ? unknown
  : Output extends StandardSchema<infer Given, infer _Made>
    ? Given | Promise<Given>
    : OutputOf<Output>

/** A TypeScript function as a tool of an agent. `defineTool` types the parts of one by its schemas. */
export interface BridgeTool<Input extends Schema = Schema, Output extends Schema = Schema> {
  /** Up to 128 letters, digits, '_', '-' and '.'. */
  readonly name: string
  /** For people. */
  readonly title?: string | undefined
  /** For the model: what it does and when to use it. */
  readonly description: string
  /** Of an object. What does not fit never reaches `execute`. */
  readonly input: Input
  /** What it returns is then checked, and said as `structuredContent` besides the text. */
  readonly output?: Output | undefined
  readonly annotations?: ToolAnnotations | undefined
  /** May throw: the model reads the error's message. */
  execute(input: ToolInput<Input>, context: ToolContext): ToolOutput<Output>
}
