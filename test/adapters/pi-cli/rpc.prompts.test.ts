import { describe, expect, it } from 'vitest'
import { agentStart, runEnd } from './records.ts'
import { Driven, newer, older, state, user } from './rpc-driving.ts'

describe('prompts', () => {
  it('carry their images', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
    const driven = new Driven().prompt([
      { type: 'text', text: 'Look' },
      image,
      { type: 'text', text: 'here.' },
    ])
    expect(driven.sent()).toEqual([
      { id: 'prompt-1', type: 'prompt', message: 'Look\nhere.', images: [image] },
    ])
  })

  it.each([
    ['/skill:x', false, '/skill:x'],
    ['/skill:x', true, ' /skill:x'],
    ['@/etc/passwd', true, '@/etc/passwd'],
    ['a /b', true, 'a /b'],
  ])('are literal: %s, with commands of the caller’s own: %s', (text, hasCommands, sent) => {
    const driven = new Driven({ opening: { ...newer, hasCommands } }).prompt(text).steer('a', text)
    expect(driven.sent().map(({ message }) => message)).toEqual([sent, sent])
  })

  it.each([
    ['No API key found for anthropic.\n\nUse /login', 'auth'],
    ['No model selected.', 'auth'],
    ['Cannot submit a prompt while compaction is in progress.', 'busy'],
    ['Something else.', 'unknown'],
  ])('that pi refuses end their turn: %s', (error, code) => {
    // Before 0.80 pi accepts a prompt before it looks at it.
    const driven = new Driven({ opening: older }).prompt('Go.').answer('prompt-1').refuse('prompt-1', error)
    expect(driven.last).toMatchObject({
      status: 'error',
      error: { code },
      evidence: { detail: 'response prompt' },
    })
    driven.prompt('Go.').refuse('prompt-2', error)
    expect(driven.completions.length).toBe(2)
  })

  const running = 'Agent is already processing. Specify streamingBehavior'
  const ask = (id: string) => ({ id, type: 'prompt', message: 'Go.' })

  it('that pi refuses for a run that has not shown itself are given again after it', () => {
    const driven = new Driven().prompt('Go.').steer('a', 'more').refuse('prompt-1', running)
    expect(driven.steered.map(({ outcome }) => outcome)).toEqual(['rejected'])
    driven.sent()
    driven.answer('get_state-2', state({ isStreaming: true })).pi(agentStart, user('Other.'))
    expect([driven.sent(), driven.owed.at(-1)]).toEqual([[], undefined])
    driven.pi(...runEnd('delta-only'))
    expect(driven.sent()).toEqual([ask('prompt-2')])
    driven.refuse('prompt-2', running).answer('get_state-3', state())
    expect(driven.sent().at(-1)).toEqual(ask('prompt-3'))
    expect(driven.said).toEqual(['session s1 new'])
  })

  it('that pi refuses for a run that never begins are given again when the extension has failed', () => {
    const driven = new Driven().prompt('Go.').refuse('prompt-1', running)
    driven.answer('get_state-2', state({ isStreaming: true })).pi({ type: 'extension_error', error: 'No.' })
    driven.sent()
    driven.answer('get_state-3', state())
    expect(driven.sent()).toEqual([ask('prompt-2')])
  })

  it.each([
    ['before its prompt is sent', (driven: Driven) => driven.pi(agentStart).prompt('Go.').interrupt()],
    [
      'before its prompt is sent again',
      (driven: Driven) => driven.prompt('Go.').pi(agentStart).refuse('prompt-1', running).interrupt(),
    ],
    [
      'before its prompt is refused',
      (driven: Driven) => driven.prompt('Go.').pi(agentStart).interrupt().refuse('prompt-1', running),
    ],
  ])('let their turn be stopped while pi runs by itself, %s', (_, stop) => {
    const driven = stop(new Driven())
    driven.sent()
    driven.pi(...runEnd('delta-only'))
    expect(driven.said).toEqual(['session s1 new', 'completion interrupted'])
    expect(driven.prompt('Next.').sent()).toMatchObject([{ type: 'prompt', message: 'Next.' }])
  })

  it('are told afterwards what extensions said in a run of theirs; what they asked is cancelled', () => {
    const driven = new Driven({ options: { interactions: 'host' } }).pi(agentStart).prompt('Go.')
    driven.pi(
      { type: 'extension_ui_request', id: 'n', method: 'notify', message: 'Ahoy.' },
      { type: 'extension_error', error: 'Oops.' },
      { type: 'extension_ui_request', id: 'c', method: 'confirm', title: 'Sure?' },
    )
    expect(driven.sent()).toEqual([{ type: 'extension_ui_response', id: 'c', cancelled: true }])
    expect(driven.said).toEqual([])
    driven.pi(...runEnd('delta-only'))
    expect(driven.said).toEqual(['session s1 new', 'notice extension_notice', 'notice extension_error'])
  })

  it('that pi refuses when their turn is over already end nothing twice', () => {
    const driven = new Driven({ opening: newer }).prompt('Go.').pi({ type: 'agent_settled' })
    expect(driven.completions.length).toBe(1)
    driven.refuse('prompt-1', 'Too late.')
    expect(driven.completions.length).toBe(1)
  })

  it('that an extension takes for itself end their turn, unless it runs the agent', () => {
    const driven = new Driven().prompt('!x').answer('prompt-1', { disposition: 'handled' })
    driven.answer('get_state-2', state())
    expect(driven.last?.status).toBe('success')
    driven.prompt('!y').answer('prompt-2', { disposition: 'handled' })
    driven.answer('get_state-3', state({ isStreaming: true }))
    expect(driven.completions.length).toBe(1)
  })
})

describe('models', () => {
  const models = [
    { provider: 'q', id: 'm2' },
    { provider: 'p', id: 'm2' },
    { provider: 'q', id: 'vendor/m3' },
  ]

  it.each([
    ['m2', 'p', 'm2'],
    ['q/m2', 'q', 'm2'],
    ['vendor/m3', 'q', 'vendor/m3'],
  ])('are changed before the next prompt: %s', (name, provider, modelId) => {
    const driven = new Driven().command({ type: 'model', model: name })
    expect(driven.sent()).toEqual([])
    driven.prompt('Go.').steer('a', 'more')
    expect(driven.sent().map(({ type }) => type)).toEqual(['get_available_models'])
    driven.answer('get_available_models-1', { models })
    expect(driven.sent()).toEqual([{ id: 'set_model-1', type: 'set_model', provider, modelId }])
    expect(driven.said).toEqual([])
    driven.answer('set_model-1', { provider, id: modelId })
    expect(driven.sent().map(({ type }) => type)).toEqual(['prompt', 'steer'])
    expect(driven.said).toEqual(['session s1 new'])
  })

  it('that pi does not have are an error of each turn until another is named', () => {
    const driven = new Driven().command({ type: 'model', model: 'none' }).prompt('Go.').steer('a', 'more')
    driven.answer('get_available_models-1', { models }).prompt('Go.')
    driven.answer('get_available_models-2', { models: 'what' })
    expect(driven.completions.map(({ error }) => error?.code)).toEqual(['model_not_found', 'model_not_found'])
    expect(driven.steered.map(({ outcome }) => outcome)).toEqual(['rejected'])
    driven.command({ type: 'model', model: 'm2' }).prompt('Go.')
    driven.answer('get_available_models-3', { models }).refuse('set_model-1', 'No API key for p/m2')
    expect(driven.last?.error?.message).toBe('No API key for p/m2')
  })

  it('do not keep a turn from being stopped before its prompt is sent', () => {
    const driven = new Driven().command({ type: 'model', model: 'm2' }).prompt('Go.')
    driven.command({ type: 'interrupt' })
    expect(driven.said).toEqual(['session s1 new', 'completion interrupted'])
    driven.sent()
    driven.answer('get_available_models-1', { models })
    expect(driven.sent()).toEqual([])
  })
})
