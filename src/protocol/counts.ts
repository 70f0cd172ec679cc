import type { Usage } from './outcome.ts'

/** What a record counts; what it does not count is undefined. */
export type UsageStatement = Pick<Usage, 'basis'> & {
  [Count in Exclude<keyof Usage, 'basis'>]?: number | undefined
}

/** The counts that can be true: whole numbers from 0, and no part above its whole. What cannot be true is not said. */
export function plausibleUsage(said: UsageStatement): Usage {
  const usage: Usage = { basis: said.basis }
  const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens } = said
  const input = isCount(inputTokens) ? inputTokens : Number.POSITIVE_INFINITY
  const output = isCount(outputTokens) ? outputTokens : Number.POSITIVE_INFINITY
  const cached = isCount(cachedInputTokens) ? cachedInputTokens : 0
  const written = isCount(cacheWriteTokens) ? cacheWriteTokens : 0
  if (isCount(inputTokens)) usage.inputTokens = inputTokens
  if (cached + written <= input) {
    if (isCount(cachedInputTokens)) usage.cachedInputTokens = cachedInputTokens
    if (isCount(cacheWriteTokens)) usage.cacheWriteTokens = cacheWriteTokens
  }
  if (isCount(outputTokens)) usage.outputTokens = outputTokens
  if (isCount(reasoningTokens) && reasoningTokens <= output) usage.reasoningTokens = reasoningTokens
  return usage
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0
}
