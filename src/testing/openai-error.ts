import type { JsonObject } from '../protocol/narrow.ts'

const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'invalid_request_error',
  429: 'rate_limit_error',
}

/** The body of a refused request, the same in both of OpenAI's APIs. */
export function openaiError(status: number, message: string): JsonObject {
  return { error: { message, type: types[status] ?? 'server_error', param: null, code: null } }
}
