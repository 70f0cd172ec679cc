import { describe, expect, test } from 'vitest'
import { completionOf, eventsOf, init, lastUsage, messageStart, result, said } from './turn.ts'

describe('counts', () => {
  const usage = {
    input_tokens: 100,
    cache_read_input_tokens: 20,
    cache_creation_input_tokens: 5,
    output_tokens: 9,
  }
  const whole = {
    basis: 'turn',
    inputTokens: 125,
    cachedInputTokens: 20,
    cacheWriteTokens: 5,
    outputTokens: 9,
  }

  test('all prompt tokens are input tokens, and the cost is the turn’s own', async () => {
    const events = await eventsOf([
      init,
      ...said('m1', 'Aye.'),
      result('Aye.', { usage, total_cost_usd: 0.5 }),
    ])
    expect(completionOf(events)).toMatchObject({ usage: whole, costUsd: 0.5 })
  })

  test('the cost of a resumed conversation is not known of one turn', async () => {
    const events = await eventsOf([init, result('Aye.', { usage, total_cost_usd: 0.5 })], { resume: 's1' })
    expect(completionOf(events)).toMatchObject({ usage: whole })
    expect(completionOf(events)).not.toHaveProperty('costUsd')
  })

  test('a cost of nothing beside tokens that were counted is not told', async () => {
    const events = await eventsOf([init, result('Aye.', { usage, total_cost_usd: 0 })])
    expect(completionOf(events)).toMatchObject({ usage: whole })
    expect(completionOf(events)).not.toHaveProperty('costUsd')
  })

  test('the runs of one turn add up, their cost does not', async () => {
    const events = await eventsOf([
      init,
      result('One.', { usage, total_cost_usd: 0.5 }),
      result('Two.', { usage, total_cost_usd: 0.7, origin: { kind: 'task-notification' } }),
    ])
    expect(completionOf(events)).toMatchObject({
      usage: { inputTokens: 250, outputTokens: 18 },
      costUsd: 0.7,
    })
  })

  test('a result that is told twice counts once', async () => {
    const once = result('Aye.', { usage, total_cost_usd: 0.5 })
    const events = await eventsOf([init, ...said('m1', 'Aye.'), once, once])
    expect(completionOf(events)).toMatchObject({ usage: whole, costUsd: 0.5 })
  })

  test('a result that counts nothing does not undo what the messages counted', async () => {
    const none = {
      input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      output_tokens: 0,
    }
    const events = await eventsOf([
      init,
      messageStart('m1', usage),
      ...said('m1', 'Aye.'),
      result('Aye.', { usage: none }),
    ])
    expect(lastUsage(events)).toMatchObject({ inputTokens: 125, outputTokens: 9 })
  })
})
