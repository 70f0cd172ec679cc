import { AgentError, shortened } from '../errors.ts'
import { closestName } from '../options/closest.ts'
import type { Attempts, Reply } from './scenario.ts'

/** The caller may have no types: a word that is written wrong would be a model that says nothing. */
export function checkScenario(scenario: unknown): void {
  if (typeof scenario === 'function') return
  if (!Array.isArray(scenario) || scenario.length === 0) throw refused('A scenario is no list of replies')
  scenario.forEach((step: unknown, index) => {
    const name = `The reply ${index} of the scenario`
    if (typeof step !== 'object' || step === null) throw refused(`${name} is no object`)
    for (const key of Object.keys(step)) {
      if (Object.hasOwn(words, key)) continue
      const closest = closestName(key, Object.keys(words))
      throw refused(`${name} has no "${shortened(key)}"`, closest && `Did you mean \`${closest}\`?`)
    }
  })
}

const words: Readonly<Record<keyof Reply | keyof Attempts, true>> = {
  attempts: true,
  cutAfter: true,
  delayMs: true,
  errorMessage: true,
  hangAfter: true,
  paceMs: true,
  retryAfter: true,
  status: true,
  stop: true,
  text: true,
  thinking: true,
  toolCalls: true,
  unstreamed: true,
  usage: true,
}

function refused(message: string, hint?: string): AgentError {
  return new AgentError('invalid_options', `${message}.`, {
    hint:
      hint ??
      `Give a function, one of \`scenarios\`, or a list of objects with any of ${Object.keys(words).join(', ')}.`,
  })
}
