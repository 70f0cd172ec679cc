import {
  type Adapter,
  asObject,
  asString,
  defineAdapter,
  type Exit,
  type Step,
  Transcript,
  type Wire,
  type WireCommand,
  type WireStart,
} from '../src/index.ts'
import { tinyCli } from './tiny-cli.ts'

const running: Exit = { exitCode: 0, signal: null, stderr: '' }

/** The tiny CLI's two-way protocol, as someone outside this repository would write its wire. */
export class TinyLiveWire implements Wire {
  #transcript: Transcript | undefined
  #byDefault = true
  #sessionId = 'none'
  #turns = 0

  start({ options, opening }: WireStart): Step {
    this.#byDefault = options.interactions !== 'host'
    return { events: [], send: [{ type: 'hello', oneTurn: opening?.oneTurn }] }
  }

  command(command: WireCommand): Step {
    switch (command.type) {
      case 'prompt': {
        this.#open()
        const text = command.prompt.map((part) => (part.type === 'text' ? part.text : '')).join('')
        return { ...this.#step(), send: [{ type: 'prompt', text }] }
      }
      case 'answer': {
        const { interactionId, decision, by } = command
        return this.#answer(interactionId, decision.decision, by)
      }
      default:
        return { events: [], send: [command] }
    }
  }

  receive(record: Record<string, unknown>): Step {
    const text = asString(record.text) ?? ''
    const id = asString(record.id) ?? ''
    switch (record.type) {
      case 'ready':
        this.#sessionId = id
        return { events: [], ready: true }
      case 'refused':
        return { events: [], failure: { code: 'auth', message: text } }
      case 'say': {
        const transcript = this.#transcript
        if (transcript) transcript.text.append(transcript.text.pending[0] ?? transcript.text.open(), text)
        break
      }
      case 'call':
        this.#transcript?.tools.start(id, { name: 'shell', kind: 'execute' })
        break
      case 'ask':
        this.#transcript?.interaction({
          interactionId: id,
          phase: 'request',
          kind: 'approval',
          title: text,
          options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
        })
        if (this.#byDefault) return this.#answer(id, 'deny', 'default')
        break
      case 'withdrawn':
        this.#resolved(id, 'cancel', 'cli')
        break
      case 'took':
        return { events: [], steered: [{ id, outcome: 'delivered' }] }
      case 'too-late':
        return { events: [], steered: [{ id, outcome: 'queued' }] }
      case 'begun':
        this.#open()
        break
      case 'almost-over':
        this.#transcript?.conclude({ detail: 'almost over' })
        return { ...this.#step(), owed: true, send: [{ type: 'anything-left' }] }
      case 'over':
        return this.#close(asObject(record.failure) !== undefined, record.interrupted === true)
    }
    return this.#step()
  }

  end(exit: Exit): Step {
    const transcript = this.#transcript
    this.#transcript = undefined
    return transcript?.end(exit) ?? { events: [] }
  }

  #open(): void {
    this.#transcript = new Transcript()
    const origin = this.#turns++ === 0 ? 'new' : 'resumed'
    this.#transcript.session({ sessionId: this.#sessionId, transport: 'live', origin })
  }

  #answer(id: string, decision: 'allow' | 'deny' | 'cancel', by: 'host' | 'callback' | 'default'): Step {
    this.#resolved(id, decision, by)
    return { ...this.#step(), send: [{ type: 'answer', id, decision }] }
  }

  #resolved(
    interactionId: string,
    decision: 'allow' | 'deny' | 'cancel',
    by: 'host' | 'callback' | 'default' | 'cli',
  ) {
    this.#transcript?.interaction({
      interactionId,
      phase: 'resolved',
      kind: 'approval',
      title: 'asked',
      decision,
      by,
    })
  }

  #close(failed: boolean, interrupted: boolean): Step {
    const transcript = this.#transcript
    this.#transcript = undefined
    if (!transcript) return { events: [] }
    transcript.conclude({
      detail: 'over',
      interrupted,
      ...(failed && { failure: { code: 'overloaded', message: 'too many boats' } }),
    })
    return transcript.end(running)
  }

  #step(): Step {
    return this.#transcript?.step() ?? { events: [] }
  }
}

export function tinyLiveCli(id = 'tiny-cli'): Adapter {
  const tiny = tinyCli(undefined, id)
  return defineAdapter({
    ...tiny,
    version: { ...tiny.version, packages: ['probe'] },
    credentials: [],
    live: {
      floor: '1.1.0',
      launch: () => ({ arguments: [], environment: {}, files: [], opening: {}, firstSignal: 'SIGTERM' }),
      wire: () => new TinyLiveWire(),
    },
  })
}

/**
 * The CLI itself, a program for Node. It does what the words of a prompt say, one after the other: `say:TEXT`, `call`, `ask`, `wait`
 * (for an interrupt), `steerable` (goes on at the next steer), `late` (takes the next steer for a turn of its own), `fail`, `die`, `hang` (hears nothing more),
 * `block` (does not even read), `owe` (ends, but leaves what it is asked then unanswered).
 */
export const tinyLiveProgram = `
import { createInterface } from 'node:readline'
const tell = (record) => process.stdout.write(JSON.stringify(record) + '\\n')
const waits = new Map()
const until = (what) => new Promise((resolve) => waits.set(what, resolve))
let deaf = false
let chain = Promise.resolve()
async function turn(text) {
  for (const word of text.split(' ')) {
    const [verb, value] = word.split(':')
    if (verb === 'say') tell({ type: 'say', text: value })
    if (verb === 'call') tell({ type: 'call', id: 'c1' })
    if (verb === 'flood') for (let i = 0; i < Number(value); i++) tell({ type: 'say', text: 'x' })
    if (verb === 'die') process.exit(3)
    if (verb === 'hang') { deaf = true; await new Promise(() => {}) }
    if (verb === 'owe') { tell({ type: 'almost-over' }); await new Promise(() => {}) }
    if (verb === 'block') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    if (verb === 'fail') return tell({ type: 'over', failure: {} })
    if (verb === 'withdraw') tell({ type: 'withdrawn', id: value })
    if (verb === 'ask') {
      tell({ type: 'ask', id: value, text: 'May I?' })
      const { decision } = await until('answer ' + value)
      tell({ type: 'say', text: decision + ';' })
    }
    if (verb === 'asks') tell({ type: 'ask', id: value, text: 'May I?' })
    if (verb === 'wait') { await until('interrupt'); return tell({ type: 'over', interrupted: true }) }
    if (verb === 'steerable') {
      const { id, text } = await until('steer')
      tell({ type: 'took', id })
      tell({ type: 'say', text })
    }
    if (verb === 'late') {
      const { id, text } = await until('steer')
      tell({ type: 'too-late', id })
      tell({ type: 'over' })
      tell({ type: 'begun' })
      tell({ type: 'say', text })
    }
  }
  tell({ type: 'over' })
}
for await (const line of createInterface({ input: process.stdin })) {
  const record = JSON.parse(line)
  if (deaf) continue
  if (record.type === 'hello') tell(process.env.VAR_REFUSE ? { type: 'refused', text: 'nobody is signed in' } : { type: 'ready', id: 'talk-' + process.pid })
  if (record.type === 'prompt') chain = chain.then(() => turn(record.text))
  for (const what of [record.type, 'answer ' + record.id]) { waits.get(what)?.(record); waits.delete(what) }
}
`
