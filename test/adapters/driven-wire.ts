import type { Exit, Failure } from '../../src/protocol/ending.ts'
import type { AgentEvent, WireEvent } from '../../src/protocol/events.ts'
import { emptyLedger } from '../../src/protocol/ledger.ts'
import type { CompletionStatement } from '../../src/protocol/outcome.ts'
import type { PromptPart } from '../../src/protocol/prompt.ts'
import type { Steered, Step, Wire, WireCommand, WireDecision } from '../../src/protocol/wire.ts'
import { checkGuarantees } from '../../src/testing/guarantees.ts'

export type Json = Record<string, unknown>

/** A live wire, told what the caller wants and what the CLI says, and what it made of it. Each turn is held to the guarantees. */
export class DrivenWire<Driven extends Wire> {
  readonly events: WireEvent[] = []
  readonly completions: CompletionStatement[] = []
  readonly steered: Steered[] = []
  readonly failures: Failure[] = []
  ready = 0
  readonly owed: boolean[] = []
  protected readonly wire: Driven
  readonly #line: (event: WireEvent) => string
  readonly #tolerated: readonly number[]
  /** One short line per event. */
  readonly said: string[] = []
  #sent: Json[] = []
  #turn: WireEvent[] = []

  /** @param tolerated guarantees that this CLI may break */
  constructor(wire: Driven, line: (event: WireEvent) => string, tolerated: readonly number[] = []) {
    this.wire = wire
    this.#line = line
    this.#tolerated = tolerated
  }

  command(command: WireCommand): this {
    return this.take(this.wire.command?.(command) ?? { events: [] })
  }

  prompt(prompt: string | PromptPart[] = 'Go.'): this {
    return this.command({
      type: 'prompt',
      prompt: typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt,
    })
  }

  steer(id: string, text: string): this {
    return this.command({ type: 'steer', id, text })
  }

  interrupt(): this {
    return this.command({ type: 'interrupt' })
  }

  decide(interactionId: string, decision: WireDecision): this {
    return this.command({ type: 'answer', interactionId, decision, by: 'host' })
  }

  end(exit: Partial<Exit> = {}): this {
    return this.take(this.wire.end({ exitCode: 0, signal: null, stderr: '', ...exit }))
  }

  get last(): CompletionStatement | undefined {
    return this.completions.at(-1)
  }

  /** What was sent since the last look. */
  protected takeSent(): Json[] {
    return this.#sent.splice(0)
  }

  protected receive(...records: Json[]): this {
    for (const record of records) this.take(this.wire.receive(record))
    return this
  }

  protected take({ events, send = [], steered = [], ready, failure, owed }: Step): this {
    for (const event of events) {
      this.events.push(event)
      this.said.push(this.#line(event))
      this.#turn.push(event)
      if (event.type === 'completion') this.#complete(event)
    }
    // As the CLI would read it: without what is undefined, and nobody's to change.
    for (const record of send) this.#sent.push(JSON.parse(JSON.stringify(record)))
    this.steered.push(...steered)
    if (ready) this.ready++
    if (owed !== undefined) this.owed.push(owed)
    if (failure) this.failures.push(failure)
    return this
  }

  #complete(completion: CompletionStatement): void {
    this.completions.push(completion)
    const breaches = checkGuarantees(this.#turn.splice(0).map(published)).filter(
      ({ guarantee }) => !this.#tolerated.includes(guarantee),
    )
    if (breaches.length > 0) throw new Error(`guarantees broken: ${JSON.stringify(breaches)}`)
  }
}

/** With what only the runner knows. */
function published(event: WireEvent, seq: number, all: readonly WireEvent[]): AgentEvent {
  const common = { seq, at: 0, adapter: 'driven' }
  if (event.type !== 'completion') return { ...event, ...common }
  const unknown = all.filter((each) => each.type === 'notice' && each.code === 'unknown_record').length
  return {
    ...event,
    ...common,
    credentialExposure: 'none',
    ledger: { ...emptyLedger, records: 9, unknown },
    stderrTail: '',
    exitCode: null,
    signal: event.evidence.by === 'signal' ? event.evidence.detail : null,
    durationMs: 0,
  }
}
