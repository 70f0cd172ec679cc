import { PiRpcWire } from '../../../src/adapters/pi-cli/rpc.ts'
import type { WireOptions } from '../../../src/protocol/wire.ts'
import { DrivenWire } from '../driven-wire.ts'
import { type Json, line } from './records.ts'

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
export class Driven extends DrivenWire<PiRpcWire> {
  constructor({ options = { cwd: '/w' }, opening = newer, greeted = true }: DrivenOptions = {}) {
    super(new PiRpcWire(), (event) =>
      event.type === 'completion' ? `completion ${event.status}` : line(event),
    )
    this.take(this.wire.start({ transport: 'live', options, opening }))
    if (greeted) this.answer('get_state-1', state())
    if (greeted) this.sent()
  }

  pi(...records: Json[]): this {
    return this.receive(...records)
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
    this.wire.plain(text)
    return this
  }

  sent(): Json[] {
    return this.takeSent()
  }
}

export const user = (text: string): Json => ({
  type: 'message_start',
  message: { role: 'user', content: [{ type: 'text', text }] },
})
