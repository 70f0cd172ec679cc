import { type ModelServer, startModelServer } from '../../src/testing/model-server.ts'
import type { ModelApiName, Scenario } from '../../src/testing/scenario.ts'

export let server: ModelServer

const paths = {
  anthropic: '/v1/messages',
  'openai-responses': '/v1/responses',
  'openai-chat': '/v1/chat/completions',
} as const

/** The smallest conversation that each API accepts. */
export const opening = {
  anthropic: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
  'openai-responses': { model: 'm', input: [{ type: 'message', role: 'user', content: 'hi' }] },
  'openai-chat': { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
}

export async function start(scenario: Scenario): Promise<void> {
  server = await startModelServer({ scenario })
}

export function ask(api: ModelApiName, body: object): Promise<Response> {
  return fetch(server.url + paths[api], { method: 'POST', body: JSON.stringify(body) })
}
