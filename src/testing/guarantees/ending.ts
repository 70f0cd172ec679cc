import { isDeepStrictEqual } from 'node:util'
import type { AgentEvent, CompletionEvent } from '../../protocol/events.ts'
import type { Usage } from '../../protocol/outcome.ts'
import type { Breach } from './breach.ts'

/** Guarantees 2 (the truth about the end), 8 (usage) and 9 (evidence). */
export function checkEnding(events: readonly AgentEvent[], completion: CompletionEvent): Breach[] {
  return [
    ...checkStatus(completion),
    ...(completion.status === 'success' ? checkSuccess(events, completion) : []),
    ...checkUsage(events, completion),
  ]
}

function checkStatus({ status, error, evidence, stopReason, signal, seq }: CompletionEvent): Breach[] {
  const faults: [2 | 9, boolean, string][] = [
    [2, status !== 'success' && error === undefined, `status '${status}' without an error`],
    [
      2,
      status === 'interrupted' && error !== undefined && error.code !== 'aborted',
      `status 'interrupted' with the code '${error?.code}', not 'aborted'`,
    ],
    [2, status === 'interrupted' && evidence.by === 'budget', "a budget that ran out is no 'interrupted'"],
    [
      2,
      status === 'timeout' && error !== undefined && error.code !== 'timeout',
      `status 'timeout' with the code '${error?.code}', not 'timeout'`,
    ],
    [
      2,
      stopReason === 'max_tokens' && error?.code !== 'max_output',
      "an answer cut by the token limit that is not 'error'/'max_output'",
    ],
    [2, stopReason === 'refusal' && error?.code !== 'refused', "a refusal that is not 'error'/'refused'"],
    [9, (evidence.by === 'budget') !== (status === 'timeout'), `evidence by ${evidence.by} for '${status}'`],
    [9, evidence.by === 'signal' && signal === null, 'evidence by a signal, but no signal ended the process'],
  ]
  return faults.filter(([, broken]) => broken).map(([guarantee, , message]) => ({ guarantee, message, seq }))
}

function checkSuccess(events: readonly AgentEvent[], completion: CompletionEvent): Breach[] {
  const { error, evidence, exitCode, signal, ledger, stopReason, text, seq } = completion
  const said = (pattern: RegExp) =>
    events.some((event) => event.type === 'notice' && pattern.test(event.code))
  const badExit = signal !== null || (exitCode !== null && exitCode !== 0)
  const faults: [boolean, string][] = [
    [error !== undefined, `success with the error '${error?.code}'`],
    [evidence.by !== 'record', `success by ${evidence.by}, not by the CLI's own record`],
    [ledger.records === 0, 'success without a single record'],
    [stopReason === 'cancelled', "success with the stop reason 'cancelled'"],
    [
      badExit && !said(/^exit_after_success$|linger/),
      `success after ${signal ?? `exit ${exitCode}`} without a notice of it`,
    ],
    [text === '' && !said(/^empty_answer$/), 'success without text and without a notice of it'],
  ]
  return faults.filter(([broken]) => broken).map(([, message]) => ({ guarantee: 2, message, seq }))
}

function checkUsage(events: readonly AgentEvent[], completion: CompletionEvent): Breach[] {
  const breaches: Breach[] = []
  let last: Usage | undefined
  for (const event of events) {
    if (event.type !== 'usage') continue
    last = event.usage
    for (const message of contradictions(last)) breaches.push({ guarantee: 8, message, seq: event.seq })
  }
  const { usage, costUsd, seq } = completion
  const say = (message: string) => breaches.push({ guarantee: 8, message, seq })
  for (const message of usage === undefined || usage === last ? [] : contradictions(usage)) say(message)
  if (last !== undefined && !isDeepStrictEqual(usage, last)) {
    say('the usage of the completion is not the last that was said')
  }
  if (usage?.basis === 'conversation' && costUsd !== undefined) {
    say("a cost, though the usage is the whole conversation's")
  }
  return breaches
}

function contradictions(usage: Usage): string[] {
  const { inputTokens = Infinity, outputTokens = Infinity } = usage
  const { cachedInputTokens: cached = 0, cacheWriteTokens: written = 0, reasoningTokens = 0 } = usage
  return [
    ...(cached + written > inputTokens ? ['inputTokens does not hold the cached ones'] : []),
    ...(reasoningTokens > outputTokens ? ['outputTokens does not hold the reasoning ones'] : []),
  ]
}
