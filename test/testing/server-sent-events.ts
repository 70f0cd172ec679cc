/** A literal reader of an SSE answer: what the events said, in order. `cut` when the connection broke before its end. */
export async function readEvents(response: Response): Promise<{ events: SentEvent[]; cut: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  let cut = false
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
  } catch {
    cut = true
  }
  const events: SentEvent[] = []
  for (const block of text.split('\n\n')) {
    const lines = block.split('\n')
    const data = lines.find((line) => line.startsWith('data: '))?.slice(6)
    if (data === undefined) continue
    const name = lines.find((line) => line.startsWith('event: '))?.slice(7)
    events.push({ name, data: data === '[DONE]' ? { type: '[DONE]' } : JSON.parse(data) })
  }
  return { events, cut }
}

export interface SentEvent {
  name: string | undefined
  data: unknown
}

/** The value at a path of field names and positions; undefined where the path leads nowhere. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = Object.entries(here).find(([name]) => name === String(step))?.[1]
  }
  return here
}
