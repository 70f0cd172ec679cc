import type { InteractionOption } from '../../protocol/events.ts'
import { asArray, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { WireDecision } from '../../protocol/wire.ts'
import type { AcpDialect, AcpQuestion, AcpReply } from '../acp/dialect.ts'
import { AcpWire } from '../acp/wire.ts'
import { Todos } from './todos.ts'

const planOptions: InteractionOption[] = [
  { optionId: 'accept', name: 'Carry it out', kind: 'allow_once' },
  { optionId: 'reject', name: 'Do not', kind: 'reject_once' },
]

/** `agent acp`, with Cursor's own requests as its documentation has them: the real one was never driven. */
export function cursorAcp(): AcpWire {
  const todos = new Todos()
  const dialect: AcpDialect = {
    agent: 'cursor-cli',
    authMethod: 'cursor_login',
    modelByLaunch: true,
    questions: { 'cursor/ask_question': question, 'cursor/create_plan': plan },
    tell(method, params, transcript) {
      if (method === 'cursor/update_todos') {
        const entries = todos.after('updateTodos', params, { success: {} })
        if (entries) transcript?.plan(entries)
        return { outcome: { outcome: 'accepted', todos: asArray(params.todos) } }
      }
      if (method === 'cursor/task') {
        const { agentId, durationMs } = params
        const what = asString(params.description) ?? 'without a description'
        transcript?.notice('info', 'subagent', `A sub-agent has a task: ${what}`, { agentId, durationMs })
        return { outcome: { outcome: 'completed', agentId, durationMs } }
      }
      if (method === 'cursor/generate_image') {
        const { filePath } = params
        const what = asString(params.description) ?? 'without a description'
        transcript?.notice('info', 'image_generated', `An image was made: ${what}`, { filePath })
        return { outcome: { outcome: 'generated', filePath } }
      }
      return undefined
    },
  }
  return new AcpWire(dialect)
}

interface Question {
  id: string
  prompt: string
  options: { id: string; label: string }[]
  takesSeveral: boolean
}

/** The answers are keyed by the question's id; a choice is named by its id or its label. */
function question(params: JsonObject): AcpQuestion {
  const questions = asArray(params.questions).flatMap(readQuestion)
  const properties = questions.map(({ id, prompt, options, takesSeveral }) => {
    const choices = options.map((option) => ({ const: option.id, title: option.label }))
    const property = takesSeveral
      ? { type: 'array', title: prompt, items: { type: 'string', anyOf: choices } }
      : { type: 'string', title: prompt, oneOf: choices }
    return [id, property] as const
  })
  const toolId = asString(params.toolCallId)
  const prompts = questions.map(({ prompt }) => prompt).join(' ')
  return {
    asked: {
      kind: 'question',
      title: asString(params.title) || prompts || 'Cursor has a question.',
      ...(toolId !== undefined && { toolId }),
      schema: {
        type: 'object',
        properties: Object.fromEntries(properties),
        required: questions.map(({ id }) => id),
      },
    },
    answer: (decision) => questionReply(questions, decision),
  }
}

function questionReply(questions: readonly Question[], said: WireDecision): AcpReply {
  const { decision, message } = said
  if (decision === 'cancel') return { result: { outcome: { outcome: 'cancelled' } }, decision }
  const given = questions.map(({ id, options }) => {
    const answer = Object.hasOwn(said.answers ?? {}, id) ? said.answers?.[id] : undefined
    const words = typeof answer === 'string' ? [answer] : (answer ?? [])
    const selectedOptionIds = words.flatMap(
      (word) => options.find((option) => option.id === word || option.label === word)?.id ?? [],
    )
    return { questionId: id, selectedOptionIds }
  })
  // Without an answer that fits, nothing was allowed.
  const isWhole = given.every(({ selectedOptionIds }) => selectedOptionIds.length > 0)
  if (decision === 'allow' && isWhole) {
    return { result: { outcome: { outcome: 'answered', answers: given } }, decision }
  }
  const reason = message === undefined ? {} : { reason: message }
  return { result: { outcome: { outcome: 'skipped', ...reason } }, decision: 'deny' }
}

function readQuestion(value: unknown): Question[] {
  const told = asObject(value)
  const id = asString(told?.id)
  if (id === undefined) return []
  const options = asArray(told?.options).flatMap((each) => {
    const option = asObject(each)
    const optionId = asString(option?.id)
    return optionId === undefined ? [] : [{ id: optionId, label: asString(option?.label) ?? optionId }]
  })
  return [{ id, prompt: asString(told?.prompt) ?? id, options, takesSeveral: told?.allowMultiple === true }]
}

function plan(params: JsonObject): AcpQuestion {
  const toolId = asString(params.toolCallId)
  const parts = [params.name, params.overview, params.plan].map(asString).filter((part) => part)
  return {
    asked: {
      kind: 'plan',
      title: ['Carry out this plan?', ...parts].join('\n\n'),
      ...(toolId !== undefined && { toolId }),
      options: planOptions,
    },
    answer({ decision, message }) {
      if (decision === 'cancel') return { result: { outcome: { outcome: 'cancelled' } }, decision }
      if (decision === 'allow') return { result: { outcome: { outcome: 'accepted' } }, decision }
      const reason = message === undefined ? {} : { reason: message }
      return { result: { outcome: { outcome: 'rejected', ...reason } }, decision }
    },
  }
}
