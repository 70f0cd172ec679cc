import { describe, expect, it } from 'vitest'
import { codeForStatus, codeForText } from '../../src/protocol/classify.ts'

describe('the code that a status of the API stands for', () => {
  it.each([
    [400, 'invalid_request'],
    [401, 'auth'],
    [402, 'usage_limit'],
    [403, 'auth'],
    [404, 'model_not_found'],
    [408, 'network'],
    [413, 'context_window'],
    [418, undefined],
    [422, 'invalid_request'],
    [429, 'rate_limit'],
    [500, 'overloaded'],
    [529, 'overloaded'],
    [200, undefined],
  ] as const)('%i: %s', (status, code) => {
    expect(codeForStatus(status)).toBe(code)
  })
})

describe('the code that an error text stands for', () => {
  it.each([
    ['401 invalid x-api-key', 'auth'],
    ['unexpected status 429 Too Many Requests: rate limited', 'rate_limit'],
    ['You have hit your limit for today', 'usage_limit'],
    ['429: insufficient_quota', 'usage_limit'],
    ['400 Your credit balance is too low to access the API.', 'usage_limit'],
    ['402 Insufficient Balance', 'usage_limit'],
    ['prompt is too long: 250000 tokens > 200000 maximum', 'context_window'],
    ['400 {"code":"context_length_exceeded"}', 'context_window'],
    ['The model `gpt-9` does not exist or you do not have access to it.', 'model_not_found'],
    ['Not logged in · Please run /login', 'auth'],
    ['API Error: 529 overloaded_error', 'overloaded'],
    ['stream disconnected before completion', 'network'],
    ['connect ECONNREFUSED 127.0.0.1:44321', 'network'],
    ['Incomplete response returned, reason: max_output_tokens', 'max_output'],
    ['listening on 127.0.0.1:50012', undefined],
    ['something else went wrong', undefined],
    ["SyntaxError: The module 'pi-ai/oauth' does not provide an export named 'x'", undefined],
    ["Error: Cannot find module '/x/quota.js'", undefined],
    ['SyntaxError: Unexpected token <\n401 Unauthorized', 'auth'],
  ] as const)('%s: %s', (text, code) => {
    expect(codeForText(text)).toBe(code)
  })
})
