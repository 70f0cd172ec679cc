import type { PlannedFile } from '../adapter.ts'
import type { LaunchEndpoint } from '../launch-options.ts'
import { piHas } from './versions.ts'

/** The provider that a generated models.json declares for `endpoint`. */
export const endpointProvider = 'coxswain'

const keyVariable = 'PI_ENDPOINT_KEY'

const apis = {
  anthropic: { api: 'anthropic-messages', model: 'claude-sonnet-4-5' },
  'openai-responses': { api: 'openai-responses', model: 'gpt-5.1' },
  'openai-chat': { api: 'openai-completions', model: 'gpt-5.1' },
} as const

export interface PlannedEndpoint {
  arguments: string[]
  environment: Record<string, string>
  file: PlannedFile
}

/**
 * A provider of its own, so that neither the user's sign-in nor an ambient key is ever sent there. The key and the headers
 * travel in variables that models.json names: no secret is in a file, and no value is taken for pi's own `!command`.
 */
export function planEndpoint(
  endpoint: LaunchEndpoint,
  model: string | undefined,
  thinks: boolean,
  version: string,
): PlannedEndpoint {
  const { api, model: defaultModel } = apis[endpoint.api ?? 'anthropic']
  const id = model ?? defaultModel
  const reference = (name: string) => (piHas('dollarReferences', version) ? `$${name}` : name)
  const environment: Record<string, string> = { [keyVariable]: endpoint.credential || 'unused' }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(endpoint.headers ?? {})) {
    if (value === '') continue // an empty variable counts as none, and pi would send its name
    const variable = `PI_ENDPOINT_HEADER_${Object.keys(headers).length + 1}`
    environment[variable] = value
    headers[name] = reference(variable)
  }
  const provider = {
    baseUrl: endpoint.url.replace(/\/+$/, ''),
    api,
    apiKey: reference(keyVariable),
    ...(Object.keys(headers).length > 0 && { headers }),
    // Without `reasoning` pi sends no effort; with it, a model that cannot think may refuse the request.
    models: [{ id, reasoning: thinks, input: ['text', 'image'] }],
  }
  return {
    arguments: ['--provider', endpointProvider, '--model', id],
    environment,
    file: { path: 'models.json', content: json({ providers: { [endpointProvider]: provider } }) },
  }
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
