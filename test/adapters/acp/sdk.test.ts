import { type AgentApp, agent, type SessionUpdate } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { AcpWire } from '../../../src/adapters/acp/wire.ts'
import type { WireEvent } from '../../../src/protocol/events.ts'
import { asObject } from '../../../src/protocol/narrow.ts'
import type { Step, WireCommand } from '../../../src/protocol/wire.ts'
import { Deferred } from '../../../src/run/deferred.ts'

/** The wire, and an agent that the protocol's own library speaks for: what it is sent is checked against the schema there. */
class Pair {
  readonly events: WireEvent[] = []
  readonly failures: unknown[] = []
  readonly #wire = new AcpWire({ agent: 'sdk', usage: 'turn' })
  readonly #toAgent = new TransformStream()
  readonly #fromAgent = new TransformStream()
  readonly #writer = this.#toAgent.writable.getWriter()
  #answer: ((event: WireEvent) => WireCommand | undefined) | undefined
  #ready = new Deferred<void>()
  #over = new Deferred<void>()

  constructor(app: AgentApp, options: { interactions?: 'host'; resume?: string; model?: string } = {}) {
    app.connect({ readable: this.#toAgent.readable, writable: this.#fromAgent.writable })
    void this.#read()
    this.#take(
      this.#wire.start({
        transport: 'live',
        options: { cwd: '/w', ...options },
        opening: { oneTurn: false },
      }),
    )
  }

  async turn(text: string, answer?: (event: WireEvent) => WireCommand | undefined): Promise<WireEvent[]> {
    await this.#ready.promise
    this.#answer = answer
    this.#over = new Deferred<void>()
    this.events.length = 0
    this.#command({ type: 'prompt', prompt: [{ type: 'text', text }] })
    await this.#over.promise
    return this.events
  }

  #command(command: WireCommand): void {
    this.#take(this.#wire.command(command))
  }

  async #read(): Promise<void> {
    for await (const record of this.#fromAgent.readable)
      this.#take(this.#wire.receive(asObject(record) ?? {}))
  }

  #take({ events, send = [], ready, failure }: Step): void {
    for (const record of send) void this.#writer.write(JSON.parse(JSON.stringify(record)))
    if (failure) this.failures.push(failure)
    if (ready || failure) this.#ready.resolve()
    for (const event of events) {
      this.events.push(event)
      const command = this.#answer?.(event)
      if (command) queueMicrotask(() => this.#command(command))
      if (event.type === 'completion') this.#over.resolve()
    }
  }
}

const sessionId = 's1'
const say = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
})

function sdkAgent(): AgentApp {
  return agent({ name: 'sdk' })
    .onRequest('initialize', () => ({
      protocolVersion: 1,
      agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } },
    }))
    .onRequest('session/new', () => ({
      sessionId,
      configOptions: [
        {
          id: 'model',
          name: 'Model',
          category: 'model',
          type: 'select',
          currentValue: 'small',
          options: [{ value: 'big', name: 'Big' }],
        },
      ],
    }))
    .onRequest('session/resume', () => ({}))
    .onRequest('session/set_config_option', ({ params }) => {
      expect(params).toMatchObject({ sessionId, configId: 'model', value: 'big' })
      return { configOptions: [] }
    })
    .onNotification('session/cancel', () => {})
}

test('the requests of a whole conversation are what the protocol wants', async () => {
  const app = sdkAgent().onRequest('session/prompt', async ({ client, params }) => {
    const toolCall = {
      toolCallId: 't1',
      title: 'List',
      kind: 'execute',
      rawInput: { command: 'ls' },
    } as const
    await client.notify('session/update', { sessionId, update: say(JSON.stringify(params.prompt)) })
    await client.notify('session/update', { sessionId, update: { sessionUpdate: 'tool_call', ...toolCall } })
    const permitted = await client.request('session/request_permission', {
      sessionId,
      toolCall,
      options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
    })
    const filled = await client.request('elicitation/create', {
      sessionId,
      mode: 'form',
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    })
    const files = await client
      .request('fs/read_text_file', { sessionId, path: '/etc/passwd' })
      .catch(({ code }: { code: number }) => code)
    await client.notify('session/update', {
      sessionId,
      update: { sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed' },
    })
    await client.notify('session/update', {
      sessionId,
      update: say(JSON.stringify([permitted, filled, files])),
    })
    return { stopReason: 'end_turn' }
  })
  const pair = new Pair(app, { interactions: 'host', model: 'big' })
  const events = await pair.turn('Go.', (event) =>
    event.type === 'interaction' && event.phase === 'request'
      ? {
          type: 'answer',
          interactionId: event.interactionId,
          decision: { decision: 'allow', answers: { name: 'Ann' } },
          by: 'host',
        }
      : undefined,
  )
  expect(pair.failures).toEqual([])
  expect(events.flatMap((event) => (event.type === 'message' ? [event.text] : []))).toEqual([
    '[{"text":"Go.","type":"text"}]',
    '[{"outcome":{"outcome":"selected","optionId":"yes"}},{"action":"accept","content":{"name":"Ann"}},-32601]',
  ])
  expect(events.at(-1)).toMatchObject({ type: 'completion', status: 'success' })
})

test('a conversation is resumed, interrupted, and taken up again', async () => {
  const app = sdkAgent().onRequest('session/prompt', async ({ client }) => {
    await client.notify('session/update', { sessionId, update: say('On and on') })
    return { stopReason: 'cancelled' }
  })
  const pair = new Pair(app, { resume: sessionId })
  for (const origin of ['resumed', 'resumed']) {
    const events = await pair.turn('Go.', (event) =>
      event.type === 'delta' ? { type: 'interrupt' } : undefined,
    )
    expect(events[0]).toMatchObject({ type: 'session', sessionId, origin })
    expect(events.at(-1)).toMatchObject({ type: 'completion', status: 'interrupted', text: 'On and on' })
  }
})
