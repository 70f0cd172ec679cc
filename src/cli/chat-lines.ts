import { createInterface } from 'node:readline'
import type { SessionOptions } from '../options/turn-options.ts'
import type { AgentEvent } from '../protocol/events.ts'
import { openSession } from '../run/session.ts'
import { exitCodeFor, watchInterrupts } from './follow-turn.ts'
import { exitCodes, type Screen } from './io.ts'
import { TurnRenderer } from './render.ts'

export interface ChatLinesOptions {
  verbose: boolean
  /** The events, one JSON object per line. */
  json: boolean
}

/** A session without a terminal: each line of stdin is a prompt. Resolves with the exit code: of the first turn that failed. */
export async function chatLines(
  options: SessionOptions,
  { io, out, err }: Screen,
  { verbose, json }: ChatLinesOptions,
): Promise<number> {
  const stop = new AbortController()
  const lines = createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  const end = () => {
    stop.abort()
    lines.close()
  }
  const release = watchInterrupts(io, end)
  out.onGone(end)
  let code: number = exitCodes.success
  try {
    // Read from now on: what comes while the CLI starts is not lost.
    const prompts = lines[Symbol.asyncIterator]()
    await using session = await openSession({ ...options, signal: stop.signal })
    for (let next = await prompts.next(); !next.done; next = await prompts.next()) {
      if (next.value.trim() === '') continue
      const turn = session.send(next.value)
      const renderer = new TurnRenderer(out, err, { verbose })
      const show = (event: AgentEvent) =>
        json ? out.write(`${JSON.stringify(event)}\n`) : renderer.render(event)
      for await (const event of turn) await show(event)
      const completion = await turn.completion
      code ||= exitCodeFor(completion)
      if (completion.exitCode !== null || completion.signal !== null) break
    }
    return stop.signal.aborted ? exitCodes.interrupted : code
  } catch (error) {
    if (stop.signal.aborted) return exitCodes.interrupted
    throw error
  } finally {
    release()
    lines.close()
  }
}
