import { type Incoming, JsonRpcPeer, type RequestId, type RpcError } from '../../protocol/json-rpc.ts'
import { asObject, type JsonObject } from '../../protocol/narrow.ts'

/** What the agent answered to a request of ours. */
export type AcpAnswer = { result: JsonObject; error?: undefined } | { result?: undefined; error: RpcError }

type Then = (answer: AcpAnswer) => void

/** What goes to the agent, until the step takes it, and who waits for which answer. */
export class AcpConnection {
  readonly #peer = new JsonRpcPeer<Then>('2.0')
  #records: object[] = []

  request(method: string, params: object, then: Then): void {
    this.#records.push(this.#peer.request(method, params, then))
  }

  notify(method: string, params: object): void {
    this.#records.push(this.#peer.notification(method, params))
  }

  reply(id: RequestId, result: JsonObject): void {
    this.#records.push(this.#peer.answer(id, result))
  }

  refuse(id: RequestId, method: string): void {
    this.#records.push(this.#peer.refuse(id, method))
  }

  classify(record: JsonObject): Incoming<Then> {
    return this.#peer.classify(record)
  }

  /** What was sent since the last call. */
  take(): object[] | undefined {
    if (this.#records.length === 0) return undefined
    const records = this.#records
    this.#records = []
    return records
  }
}

/** An answer, whoever waits for it. */
export function answerOf(
  incoming: { kind: 'response'; result: unknown } | { kind: 'error'; error: RpcError },
) {
  const answer: AcpAnswer =
    incoming.kind === 'error' ? { error: incoming.error } : { result: asObject(incoming.result) ?? {} }
  return answer
}
