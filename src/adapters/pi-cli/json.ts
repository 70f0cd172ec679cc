import type { Exit } from '../../protocol/ending.ts'
import { asString, type JsonObject } from '../../protocol/narrow.ts'
import { Transcript } from '../../protocol/transcript.ts'
import type { Step, Wire, WireStart } from '../../protocol/wire.ts'
import { failureOfStderr } from './errors.ts'
import { PiRun, type Progress } from './run.ts'
import { originOf, wrongConversation } from './session.ts'
import { PiToolNames } from './tool-names.ts'

/**
 * pi's `--mode json`. Its end is `agent_settled` (0.80.4 and later); before, the last `agent_end`, which a retry or a compaction
 * takes back.
 */
export class PiJsonWire implements Wire {
  readonly #transcript = new Transcript()
  readonly #names = new PiToolNames()
  readonly #run = new PiRun(this.#transcript, this.#names)
  #start: WireStart = { transport: 'structured', options: {} }
  #plain: string | undefined
  #records = 0

  start(input: WireStart): Step {
    this.#start = input
    this.#names.learn(input.options.serverTools ?? {})
    return this.#transcript.step()
  }

  receive(record: JsonObject): Step {
    this.#records++
    if (record.type === 'session') {
      this.#session(record)
      return this.#transcript.step()
    }
    const progress = this.#run.receive(record)
    return this.#transcript.step(progress && this.#endsWith(progress))
  }

  plain(line: string): void {
    this.#plain ??= line.trim().slice(0, 200)
  }

  end(exit: Exit): Step {
    const gaveUp = failureOfStderr(exit.stderr)
    if (gaveUp?.code === 'resume_rejected') this.#transcript.suspect(gaveUp)
    else if (this.#records === 0 && exit.exitCode === 0 && this.#plain !== undefined) {
      this.#transcript.suspect({
        code: 'protocol',
        message: `pi printed plain text and no JSON: ${this.#plain}`,
        hint: 'This pi does not keep to --mode json; update it.',
      })
    }
    if (this.#transcript.verdict && exit.stopped !== true) this.#run.decide()
    return this.#transcript.end(exit, failureOfStderr)
  }

  /** pi sleeps between its retries: only after a good answer none can follow. */
  #endsWith(progress: Progress): boolean {
    return progress === 'settled' || (progress === 'resting' && this.#run.endedWell)
  }

  #session(record: JsonObject): void {
    const sessionId = asString(record.id)
    if (sessionId === undefined) {
      this.#transcript.unknown('a session without an id')
      return
    }
    const cwd = asString(record.cwd)
    const { options, transport, cliVersion } = this.#start
    const origin = originOf(record, options)
    this.#run.failure = wrongConversation(origin, options)
    this.#transcript.session({
      sessionId,
      transport,
      ...(cwd !== undefined && { cwd }),
      ...(cliVersion !== undefined && { cliVersion }),
      origin,
    })
  }
}
