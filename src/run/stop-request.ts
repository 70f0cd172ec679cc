import { wordsOf } from '../errors.ts'
import type { Stop } from '../protocol/completion.ts'

/** How far the CLI had come by itself. */
export type Progress = 'running' | 'last word' | 'exited'

/** The first wish to end a turn, recorded before anything is done about it; later ones change nothing. */
export class StopRequest {
  #stop: Stop | undefined
  readonly #aborting = new AbortController()
  #madeAt: Progress = 'running'
  #progress: () => Progress = () => 'running'
  #carryOut: () => void = () => {}

  get made(): boolean {
    return this.#stop !== undefined
  }

  /** Aborted with the first wish: for what is under way before there is a child. */
  get signal(): AbortSignal {
    return this.#aborting.signal
  }

  make(stop: Stop): void {
    if (this.#stop) return
    this.#stop = stop
    this.#aborting.abort()
    this.#madeAt = this.#progress()
    this.#carryOut()
  }

  /** Once the child runs: how far it has come, and what a request does; at once if it was made already. */
  attach(progress: () => Progress, carryOut: () => void): void {
    this.#progress = progress
    this.#carryOut = carryOut
    if (this.#stop) carryOut()
  }

  /**
   * The stop, where it came first. An end that the CLI had come to by itself stands; its last word only unless it was taken
   * back.
   */
  reason(saidLastWord: boolean): Stop | undefined {
    if (this.#madeAt === 'exited' || (this.#madeAt === 'last word' && saidLastWord)) return undefined
    return this.#stop
  }
}

/** The caller's own stop. `how` says by which of his means, `why` what he said with it. */
export function callerStop(how: string, why?: string): Stop {
  return {
    status: 'interrupted',
    code: 'aborted',
    message: `The turn was stopped${why === undefined ? ' by its caller' : `: ${why}`} (${how}).`,
    evidence: { by: 'host', detail: how },
  }
}

/** What the caller gave `abort()`, in one line. Nothing where it is the platform's own default. */
export function reasonGiven({ reason }: AbortSignal): string | undefined {
  const isDefault = reason instanceof DOMException && reason.name === 'AbortError'
  if (isDefault || !(typeof reason === 'string' || reason instanceof Error)) return undefined
  const words = wordsOf(reason).replace(/\s+/g, ' ').trim().replace(/\.$/, '')
  return words === '' ? undefined : words.slice(0, 200)
}
