import type { DecisionWord, InteractionPayload } from '../../protocol/events.ts'
import { asArray, asNumber, asString, asWord, type JsonObject, lookUp } from '../../protocol/narrow.ts'
import type { Transcript } from '../../protocol/transcript.ts'
import type { WireDecision } from '../../protocol/wire.ts'

type Asked = Omit<InteractionPayload, 'type' | 'phase' | 'decision' | 'by'>
type By = NonNullable<InteractionPayload['by']>

interface Dialog {
  /** As pi gave it: its answers must carry the same. */
  id: unknown
  asked: Asked
  method: Method
  /** What `select` offers. */
  choices: readonly string[]
  expires: boolean
}

type Method = 'select' | 'confirm' | 'input' | 'editor'

const methods: Readonly<Record<string, Method>> = {
  select: 'select',
  confirm: 'confirm',
  input: 'input',
  editor: 'editor',
}

/** What extensions only show: pi waits for nothing. */
const shown: ReadonlySet<unknown> = new Set(['setStatus', 'setWidget', 'setTitle', 'set_editor_text'])

const levels = { info: 'info', warning: 'warning', error: 'error' } as const

/** The answers to a question are under this key: each dialog of pi asks for one thing. */
const answerKey = 'value'

/**
 * What extensions ask a person (`extension_ui_request`): pi itself asks before nothing. It ignores an answer that comes after
 * the extension's own time limit, and does not say that it has passed.
 */
export class PiDialogs {
  readonly #open = new Map<string, Dialog>()

  /**
   * @param transcript of the turn that runs; where none does, nobody could answer
   * @returns pi's answer, where one is due at once
   */
  receive(record: JsonObject, transcript: Transcript | undefined, askHost: boolean): object | undefined {
    const method = lookUp(methods, asString(record.method))
    if (method === undefined) return this.#show(record, transcript)
    if (!transcript) return cancelled(record.id)
    const dialog = dialogOf(method, record)
    const { asked } = dialog
    transcript.interaction({ ...asked, phase: 'request' })
    if (askHost) {
      this.#open.set(asked.interactionId, dialog)
      return undefined
    }
    transcript.interaction({ ...asked, phase: 'resolved', decision: 'deny', by: 'default' })
    return refusal(dialog)
  }

  /** @returns pi's answer; undefined for what nobody asks (any more) */
  answer(id: string, decision: WireDecision, by: By, transcript: Transcript): object | undefined {
    const dialog = this.#open.get(id)
    if (!dialog) return undefined
    this.#open.delete(id)
    const reply = decision.decision === 'allow' ? consent(dialog, decision) : undefined
    // Without an answer that fits, nothing was allowed.
    const said: DecisionWord = reply || decision.decision === 'cancel' ? decision.decision : 'deny'
    transcript.interaction({ ...dialog.asked, phase: 'resolved', decision: said, by })
    return reply ?? refusal(dialog)
  }

  /** The model is asked on, so that the call which asked with a time limit went without its answer. */
  expire(transcript: Transcript): void {
    for (const [id, { asked, expires }] of this.#open) {
      if (!expires) continue
      this.#open.delete(id)
      transcript.interaction({ ...asked, phase: 'resolved', decision: 'cancel', by: 'cli' })
    }
  }

  /** Nobody waits for an answer any more. */
  close(transcript: Transcript, by: By): object[] {
    const open = [...this.#open.values()]
    this.#open.clear()
    return open.map(({ id, asked }) => {
      transcript.interaction({ ...asked, phase: 'resolved', decision: 'cancel', by })
      return cancelled(id)
    })
  }

  #show(record: JsonObject, transcript: Transcript | undefined): object | undefined {
    if (shown.has(record.method)) return undefined
    if (record.method === 'notify') {
      const level = lookUp(levels, asString(record.notifyType)) ?? 'info'
      transcript?.notice(level, 'extension_notice', asString(record.message) ?? '')
      return undefined
    }
    transcript?.unknown(`the extension request "${asString(record.method) ?? typeof record.method}"`)
    return cancelled(record.id)
  }
}

function dialogOf(method: Method, record: JsonObject): Dialog {
  const { id } = record
  const interactionId = asWord(id)
  const title = titleOf(record)
  const expires = asNumber(record.timeout) !== undefined
  if (method === 'confirm') {
    const options: Asked['options'] = [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ]
    return { id, method, choices: [], expires, asked: { interactionId, kind: 'approval', title, options } }
  }
  const choices = asArray(record.options).filter((choice) => typeof choice === 'string')
  const prefill = asString(record.prefill)
  const placeholder = asString(record.placeholder)
  const value = {
    type: 'string',
    title: asString(record.title) ?? title,
    ...(method === 'select' && { enum: choices }),
    ...(prefill !== undefined && { default: prefill }),
    ...(placeholder !== undefined && { description: placeholder }),
  }
  const schema = { type: 'object', properties: { [answerKey]: value }, required: [answerKey] }
  const kind = method === 'editor' ? 'form' : 'question'
  return { id, method, choices, expires, asked: { interactionId, kind, title, schema } }
}

function titleOf(record: JsonObject): string {
  const lines = [asString(record.title), asString(record.message)].filter((line) => line)
  const timeout = asNumber(record.timeout)
  const title = lines.length === 0 ? 'An extension of pi asks.' : lines.join('\n')
  return timeout === undefined ? title : `${title} (pi waits ${timeout / 1000} s for the answer)`
}

function consent({ id, method, choices }: Dialog, { answers }: WireDecision): object | undefined {
  if (method === 'confirm') return { type: 'extension_ui_response', id, confirmed: true }
  const given = answers?.[answerKey]
  const value = typeof given === 'string' ? given : given?.[0]
  if (value === undefined || (method === 'select' && !choices.includes(value))) return undefined
  return { type: 'extension_ui_response', id, value }
}

function refusal({ id, method }: Dialog): object {
  return method === 'confirm' ? { type: 'extension_ui_response', id, confirmed: false } : cancelled(id)
}

function cancelled(id: unknown): object {
  return { type: 'extension_ui_response', id, cancelled: true }
}
