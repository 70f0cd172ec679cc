import type { ErrorCode } from '../errors.ts'
import type { Schema } from '../options/schema-types.ts'
import type { TurnOptions } from '../options/turn-options.ts'
import type { AgentEvent, CompletionEvent } from '../protocol/events.ts'
import { startTurn } from '../run/turn.ts'
import { exitCodes, type Interrupt, type Screen } from './io.ts'

/** What a shell gets when a second Ctrl-C does not wait any longer. */
export const killedByInterrupt = 130

/**
 * Runs a turn for a command: shows each event, stops the turn on Ctrl-C or when nobody reads any more. A second Ctrl-C
 * leaves at once; the watchdog ends what is left.
 */
export async function followTurn(
  options: TurnOptions<Schema>,
  { io, out }: Screen,
  show: (event: AgentEvent) => Promise<void>,
): Promise<CompletionEvent> {
  const stop = new AbortController()
  const turn = startTurn({ ...options, signal: stop.signal })
  const release = watchInterrupts(io, (signal) => stop.abort(signal === 'SIGINT' ? 'Ctrl-C' : signal))
  out.onGone(() => stop.abort('the output could not be written any more'))
  try {
    for await (const event of turn) await show(event)
    return await turn.completion
  } finally {
    release()
  }
}

export function watchInterrupts(io: Screen['io'], stop: (signal: Interrupt) => void): () => void {
  let times = 0
  return io.onInterrupt((signal) => {
    if (++times === 1) stop(signal)
    else io.exit(killedByInterrupt)
  })
}

export function exitCodeFor({ status, error, evidence }: CompletionEvent): number {
  return error && evidence.by === 'spawn' ? exitCodeOf(error) : exitCodes[status]
}

/** Of what was refused before anything was started. */
export function exitCodeOf({ code }: { readonly code: ErrorCode }): number {
  return ofTheOptions.has(code) ? exitCodes.usage : exitCodes.error
}

/** What the command line is to blame for; the rest is how things are on this machine. */
const ofTheOptions: ReadonlySet<ErrorCode> = new Set([
  'invalid_options',
  'unsupported',
  'environment_key_refused',
  'bridge_environment_incomplete',
])
