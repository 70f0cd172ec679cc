/** Texts by name. What is undefined counts as left out. */
export type ByName = Readonly<Record<string, string | undefined>>

export type McpServer =
  | { type: 'stdio'; command: string; args?: readonly string[] | undefined; env?: ByName | undefined }
  | { type: 'http'; url: string; headers?: ByName | undefined }

/** All in milliseconds. Only `lingerMs` has a default. `idleMs` and `toolMs` stand still while reading is paused. */
export interface Budgets {
  /** The whole turn, from spawn. */
  totalMs?: number | undefined
  /** From spawn to the first record. */
  firstEventMs?: number | undefined
  /** Between two chunks of output while no tool is in flight. */
  idleMs?: number | undefined
  /** One tool call, from start to end. */
  toolMs?: number | undefined
  interactionMs?: number | undefined
  /** How long the CLI may live on after its last word. Default 3,000. */
  lingerMs?: number | undefined
}

export interface Endpoint {
  /** As that API's own SDK takes it. */
  url: string
  api?: 'anthropic' | 'openai-responses' | 'openai-chat' | undefined
  /** The literal value; a dummy if absent. */
  credential?: string | undefined
  headers?: ByName | undefined
}

export type Credentials =
  | 'inherit'
  | 'none'
  /** A value that is undefined is refused: the host's own would take its place in silence. */
  | { set?: string | undefined; values?: Readonly<Record<string, string>> | undefined }

export type Approvals = 'deny' | 'auto' | 'approve-all'
