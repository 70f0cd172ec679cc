import { setImmediate as breathe } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startTurn } from '../../dist/index.js'

const megabyte = 1024 * 1024

/** Memory over a million events and a consumer that takes its time. */
export async function slowConsumer() {
  const flood = fileURLToPath(new URL('flood.mjs', import.meta.url))
  const turn = startTurn({
    adapter: 'claude-code',
    prompt: 'Go.',
    binary: [process.execPath, flood],
    credentials: 'none',
    conversations: 'discard',
  })
  let events = 0
  let base = 0
  let peak = 0
  for await (const _ of turn) {
    events++
    if (events % 50 === 0) await breathe()
    if (events % 10_000 !== 0) continue
    const { rss } = process.memoryUsage()
    // What the runtime needs once (code, the collector's first spaces) is there after a twentieth of them.
    if (events === 50_000) base = rss
    if (base > 0) peak = Math.max(peak, rss)
  }
  const { status } = await turn.completion
  const growth = (peak - base) / megabyte
  const isMet = status === 'success' && growth < 64
  return {
    title: 'A slow consumer',
    note: 'Growth of the resident set from the 50,000th event on, over a million events, with a consumer that yields every 50 events. The aim: flat within 64 MB.',
    header: ['events', 'status', 'growth (MB)', 'the aim is'],
    rows: [[`${events}`, status, growth.toFixed(0), isMet ? 'met' : 'missed']],
  }
}
