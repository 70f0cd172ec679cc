import { describe, expect, it } from 'vitest'
import { failureOfMessage, failureOfStderr } from '../../../src/adapters/pi-cli/errors.ts'

describe('an errorMessage', () => {
  it.each([
    ['401 invalid x-api-key', 'auth', '401 invalid x-api-key'],
    ['401: invalid api key', 'auth', '401: invalid api key'],
    [
      'OpenAI API error (401): Incorrect API key provided',
      'auth',
      'OpenAI API error (401): Incorrect API key provided',
    ],
    [
      '401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
      'auth',
      '401 invalid x-api-key',
    ],
    [
      '429 {"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}',
      'rate_limit',
      '429 slow down',
    ],
    [
      '429: {"message":"You exceeded your current quota","code":"insufficient_quota"}',
      'usage_limit',
      '429: You exceeded your current quota',
    ],
    [
      '529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      'overloaded',
      '529 Overloaded',
    ],
    ['529 overloaded', 'overloaded', '529 overloaded'],
    ['500 internal server error', 'overloaded', '500 internal server error'],
    [
      '400: {"message":"Model loading was stopped: it would likely overload your system","type":"invalid_request_error","param":"model","code":null}',
      'invalid_request',
      '400: Model loading was stopped: it would likely overload your system',
    ],
    ['400: {"message":"too long","code":"context_length_exceeded"}', 'context_window', '400: too long'],
    [
      '400 prompt is too long: 210000 tokens > 200000 maximum',
      'context_window',
      '400 prompt is too long: 210000 tokens > 200000 maximum',
    ],
    ['404: {"message":"no such thing","code":"model_not_found"}', 'model_not_found', '404: no such thing'],
    // A gateway calls every fault so.
    ['403: {"message":"not in your country","type":"server_error"}', 'auth', '403: not in your country'],
    ['413: {"message":"too large","type":"api_error"}', 'context_window', '413: too large'],
    ['{"message":"It broke.","type":"server_error"}', 'overloaded', 'It broke.'],
    ['terminated', 'network', 'terminated'],
    [
      'terminated: other side closed (UND_ERR_SOCKET)',
      'network',
      'terminated: other side closed (UND_ERR_SOCKET)',
    ],
    ['Connection error.', 'network', 'Connection error.'],
    ['Anthropic stream ended before message_stop', 'network', 'Anthropic stream ended before message_stop'],
    ['The model refused to complete the request', 'refused', 'The model refused to complete the request'],
    ['Provider stopped with: sensitive', 'refused', 'Provider stopped with: sensitive'],
    ['Provider finish_reason: content_filter', 'refused', 'Provider finish_reason: content_filter'],
    ['something\nodd', 'unknown', 'something odd'],
    ['{not json', 'unknown', '{not json'],
  ])('%s is %s', (errorMessage, code, message) => {
    expect(failureOfMessage(errorMessage)).toEqual({ code, message })
  })

  it.each([undefined, '', ' '])('of nothing (%o) is unknown', (errorMessage) => {
    expect(failureOfMessage(errorMessage)).toMatchObject({ code: 'unknown' })
  })

  it.each(['refusal', 'sensitive', 'content_filter'])(
    'is a refusal when the provider says %s',
    (rawStopReason) => {
      expect(failureOfMessage('Odd', { rawStopReason })).toEqual({ code: 'refused', message: 'Odd' })
      expect(failureOfMessage(undefined, { rawStopReason })).toEqual({
        code: 'refused',
        message: `The model stopped with: ${rawStopReason}`,
      })
    },
  )

  it.each([
    ['anthropic-messages', 'refused'],
    ['openai-responses', 'unknown'],
    [undefined, 'unknown'],
  ])('"An unknown error occurred" of %s is %s', (api, code) => {
    expect(failureOfMessage('An unknown error occurred', { api })).toEqual({
      code,
      message: 'An unknown error occurred',
    })
  })
})

describe('stderr', () => {
  it.each([
    ["No session found matching '01a2'\n", 'resume_rejected', "No session found matching '01a2'"],
    [
      'Session found in different project: /w/one\nFork this session into current directory? [y/N] ',
      'resume_rejected',
      'That conversation belongs to another directory: /w/one.',
    ],
    [
      'Stored session working directory does not exist: /gone\nSession file: /s.jsonl\n',
      'resume_rejected',
      'Stored session working directory does not exist: /gone',
    ],
    [
      '\u001b[31mError: Model "x/y" not found. Use --list-models to see available models.\u001b[39m\n',
      'model_not_found',
      'Error: Model "x/y" not found. Use --list-models to see available models.',
    ],
    [
      'No models available. Use /login to log into a provider\nSee: docs\n',
      'auth',
      'No models available. Use /login to log into a provider',
    ],
    ['No API key found for Anthropic.\n\nUse /login\n', 'auth', 'No API key found for Anthropic.'],
    [
      [
        'file:///n/node_modules/pi/dist/core/package-manager.js:2',
        "SyntaxError: The requested module 'node:fs' does not provide an export named 'globSync'",
        '    at ModuleJob._instantiate (node:internal/modules/esm/module_job:213:21)',
        '',
        'Node.js v20.20.2',
      ].join('\n'),
      'unsupported_version',
      'This pi does not run on Node.js v20.20.2.',
    ],
    ['Error: Unknown option: --nope\n', 'invalid_options', 'Error: Unknown option: --nope'],
    [
      'some warning\nError: connect ECONNREFUSED 127.0.0.1:1\n',
      'network',
      'Error: connect ECONNREFUSED 127.0.0.1:1',
    ],
  ])('%j is %s', (stderr, code, message) => {
    expect(failureOfStderr(stderr)).toMatchObject({ code, message })
  })

  it.each([
    '',
    'Warning: Model "x" not found for provider "coxswain". Using custom model id.\n',
    'all is well\n',
  ])('%j says nothing of the turn', (stderr) => {
    expect(failureOfStderr(stderr)).toBeUndefined()
  })
})
