import type { Failure, Verdict } from '../../protocol/ending.ts'
import { asString, type JsonObject } from '../../protocol/narrow.ts'
import { failureOfMessage } from './errors.ts'

/** How the last answer of the model ended. */
export interface LastMessage {
  stopReason: string
  failure: Failure | undefined
  calledTools: boolean
}

export function lastMessage(message: JsonObject, calledTools: boolean): LastMessage {
  const stopReason = asString(message.stopReason) ?? 'none'
  return { stopReason, failure: failureOf(stopReason, message), calledTools }
}

function failureOf(stopReason: string, message: JsonObject): Failure | undefined {
  switch (stopReason) {
    case 'stop':
    case 'toolUse':
      return undefined
    case 'length':
      return { code: 'max_output', message: 'The answer was cut by the limit of output tokens.' }
    case 'aborted':
      return { code: 'aborted', message: 'pi was told to stop.' }
    case 'error':
      return failureOfMessage(asString(message.errorMessage), {
        rawStopReason: asString(message.rawStopReason),
        api: asString(message.api),
      })
    default:
      return {
        code: 'unknown',
        message: `The answer ended with "${stopReason}", which is not known to be good.`,
      }
  }
}

/**
 * pi exits with 0 whatever happened: only its last answer tells whether the end is good.
 *
 * @param isWaiting whether a tool call has no result yet
 */
export function verdictOn(record: string, last: LastMessage | undefined, isWaiting: boolean): Verdict {
  if (!last) {
    const failure: Failure = { code: 'protocol', message: 'pi ended without any answer of the model.' }
    return { detail: `${record}, no answer`, failure }
  }
  const { stopReason, failure } = last
  const detail = `${record}, stopReason ${stopReason}`
  if (stopReason === 'aborted') return { detail, interrupted: true }
  if (stopReason === 'length') return { detail, stopReason: 'max_tokens', failure }
  if (failure?.code === 'refused') return { detail, stopReason: 'refusal', failure }
  if (failure) return { detail, failure }
  // A tool may end pi's run by itself, once it has run; a model that asked for a tool in vain has not stopped by itself.
  if (lacksToolCall(last)) return { detail, failure: toolCallMissing }
  if (stopReason === 'toolUse' && isWaiting) return { detail, failure: toolResultMissing }
  return { detail, stopReason: 'end_turn' }
}

export function lacksToolCall({ stopReason, calledTools }: LastMessage): boolean {
  return stopReason === 'toolUse' && !calledTools
}

const toolCallMissing: Failure = {
  code: 'protocol',
  message: 'The model asked for a tool but named none, so pi stopped in the middle of the work.',
  retryable: true,
}

const toolResultMissing: Failure = {
  code: 'protocol',
  message: 'pi stopped while a tool that the model had asked for was without a result.',
  retryable: true,
}
