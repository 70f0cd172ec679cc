import { asNumber, asObject, asString, type JsonObject } from './narrow.ts'

/** The peer's ids may be 0, and strings. */
export type RequestId = string | number

/** A record from the peer. What answers a call of ours carries that call; absent where we asked nothing under that id. */
export type Incoming<Call> =
  | { kind: 'request'; id: RequestId; method: string; params: JsonObject }
  | { kind: 'notification'; method: string; params: JsonObject }
  | { kind: 'response'; id: RequestId; call: Call | undefined; result: unknown }
  | { kind: 'error'; id: RequestId | undefined; call: Call | undefined; error: RpcError }
  | { kind: 'invalid' }

export interface RpcError {
  code: number | undefined
  message: string
  data: unknown
}

const methodNotFound = -32601

/**
 * The bookkeeping of one end of a JSON-RPC 2.0 connection: our ids, what we asked under each, and what a record of the peer is.
 * It holds no connection: what it returns is to be sent.
 */
export class JsonRpcPeer<Call> {
  readonly #head: JsonObject
  readonly #pending = new Map<number, Call>()
  #lastId = 0

  /** @param version 'omitted': records without the `jsonrpc` field, as codex's app-server wants them */
  constructor(version: '2.0' | 'omitted') {
    this.#head = version === '2.0' ? { jsonrpc: '2.0' } : {}
  }

  /** A request of ours. `call` is what its answer is recognised by. */
  request(method: string, params: object, call: Call): object {
    const id = ++this.#lastId
    this.#pending.set(id, call)
    return { ...this.#head, id, method, params }
  }

  notification(method: string, params?: object): object {
    return { ...this.#head, method, ...(params !== undefined && { params }) }
  }

  /** The answer to a request of the peer's. */
  answer(id: RequestId, result: unknown): object {
    return { ...this.#head, id, result }
  }

  /** The answer to a request of the peer's that nobody here knows: it must not hang. */
  refuse(id: RequestId, method: string): object {
    return { ...this.#head, id, error: { code: methodNotFound, message: `Method not found: ${method}` } }
  }

  /** What we asked and was not answered yet, oldest first. */
  get pending(): readonly Call[] {
    return [...this.#pending.values()]
  }

  /** What a record is. An answer settles its call: a second one under the same id finds none. */
  classify(record: JsonObject): Incoming<Call> {
    const id = idOf(record.id)
    const method = asString(record.method)
    if (method !== undefined) {
      const params = asObject(record.params) ?? {}
      return id === undefined
        ? { kind: 'notification', method, params }
        : { kind: 'request', id, method, params }
    }
    const error = asObject(record.error)
    if (error) return { kind: 'error', id, call: this.#settle(id), error: readError(error) }
    if (id === undefined || !('result' in record)) return { kind: 'invalid' }
    return { kind: 'response', id, call: this.#settle(id), result: record.result }
  }

  #settle(id: RequestId | undefined): Call | undefined {
    if (typeof id !== 'number') return undefined
    const call = this.#pending.get(id)
    this.#pending.delete(id)
    return call
  }
}

function idOf(value: unknown): RequestId | undefined {
  return asString(value) ?? asNumber(value)
}

function readError(error: JsonObject): RpcError {
  return {
    code: asNumber(error.code),
    message: asString(error.message) || 'The peer gave no reason.',
    data: error.data,
  }
}
