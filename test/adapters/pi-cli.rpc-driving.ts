import { PiRpcWire } from '../../src/adapters/pi-cli.rpc.ts'
import type { PromptPart, WireOptions } from '../../src/options/turn-options.ts'
import type { Failure } from '../../src/protocol/ending.ts'
import type { AgentEvent, CompletionStatement, WireEvent } from '../../src/protocol/events.ts'
import type { Exit, Steered, Step, WireCommand, WireDecision } from '../../src/protocol/wire.ts'
import { checkGuarantees } from '../../src/testing/guarantees.ts'
import { type Json, line } from './pi-cli.records.ts'

export interface DrivenOptions {
  options?: WireOptions
  opening?: Record<string, unknown>
  /** Default true: the handshake is done. */
  greeted?: boolean
}

/** pi with `agent_settled` and `clear_queue`; one from before them. */
export const newer = { settles: true, clearsQueue: true, hasCommands: false }
export const older = { settles: false, clearsQueue: false, hasCommands: false }

export const state = (more: Json = {}) => ({
  sessionId: 's1',
  sessionFile: '/state/s1.jsonl',
  model: { provider: 'p', id: 'm1' },
  messageCount: 0,
  isStreaming: false,
  isCompacting: false,
  pendingMessageCount: 0,
  ...more,
})

/** A wire, told what the caller wants and what pi says, and what it made of it. */
export class Driven {
  readonly said: string[] = []
  readonly events: WireEvent[] = []
  readonly completions: CompletionStatement[] = []
  readonly steered: Steered[] = []
  readonly failures: Failure[] = []
  ready = 0
  /** What was sent since the last look. */
  #sent: Json[] = []
  #turn: WireEvent[] = []
  readonly #wire = new PiRpcWire()

  constructor({ options = { cwd: '/w' }, opening = newer, greeted = true }: DrivenOptions = {}) {
    this.#take(this.#wire.start({ transport: 'live', options, opening }))
    if (greeted) this.answer('get_state-1', state())
    if (greeted) this.sent()
  }

  pi(...records: Json[]): this {
    for (const record of records) this.#take(this.#wire.receive(record))
    return this
  }

  /** A response of pi's. */
  answer(id: string, data?: Json, more: Json = {}): this {
    const command = id.replace(/-\d+$/, '')
    return this.pi({
      id,
      type: 'response',
      command,
      success: true,
      ...(data !== undefined && { data }),
      ...more,
    })
  }

  refuse(id: string, error: string): this {
    return this.answer(id, undefined, { success: false, error })
  }

  plain(text: string): this {
    this.#wire.plain(text)
    return this
  }

  command(command: WireCommand): this {
    this.#take(this.#wire.command(command))
    return this
  }

  prompt(prompt: string | PromptPart[]): this {
    return this.command({
      type: 'prompt',
      prompt: typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt,
    })
  }

  steer(id: string, text: string): this {
    return this.command({ type: 'steer', id, text })
  }

  decide(interactionId: string, decision: WireDecision): this {
    return this.command({ type: 'answer', interactionId, decision, by: 'host' })
  }

  end(exit: Partial<Exit> = {}): this {
    this.#take(this.#wire.end({ exitCode: 0, signal: null, stderr: '', ...exit }))
    return this
  }

  /** What was sent since the last call. */
  sent(): Json[] {
    const sent = this.#sent
    this.#sent = []
    return sent
  }

  get last(): CompletionStatement | undefined {
    return this.completions.at(-1)
  }

  #take(step: Step): void {
    for (const event of step.events) {
      this.events.push(event)
      this.#turn.push(event)
      if (event.type === 'completion') this.#complete(event)
      else this.said.push(line(event))
    }
    this.#sent.push(...(step.send ?? []).map((record) => ({ ...record })))
    this.steered.push(...(step.steered ?? []))
    if (step.ready) this.ready++
    if (step.failure) this.failures.push(step.failure)
  }

  /** Each turn is held to the guarantees. */
  #complete(completion: CompletionStatement): void {
    this.completions.push(completion)
    this.said.push(`completion ${completion.status}`)
    const breaches = checkGuarantees(this.#turn.map(envelope))
    this.#turn = []
    if (breaches.length > 0) throw new Error(`guarantees broken: ${JSON.stringify(breaches)}`)
  }
}

function envelope(event: WireEvent, seq: number, all: readonly WireEvent[]): AgentEvent {
  const common = { seq, at: 0, adapter: 'pi-cli' }
  if (event.type !== 'completion') return { ...event, ...common }
  const unknown = all.filter((each) => each.type === 'notice' && each.code === 'unknown_record').length
  return {
    ...event,
    ...common,
    credentialExposure: 'none',
    ledger: { bytes: 0, records: 1, ignored: 0, unknown, invalid: 0, oversized: 0 },
    stderrTail: '',
    exitCode: null,
    signal: event.evidence.by === 'signal' ? event.evidence.detail : null,
    durationMs: 0,
  }
}
