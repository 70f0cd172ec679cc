import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkTurnOptions } from '../../src/options/check.ts'
import { paymentOf } from '../../src/run/billing.ts'
import { planTurn } from '../../src/run/plan-turn.ts'
import { tinyCli } from '../tiny-cli.ts'
import {
  chatGpt,
  claudeAi,
  type Files,
  newMode,
  type Options,
  optionsFor,
  piLogins,
  piOauth,
} from './sign-ins.ts'

const claudeWithoutInference = {
  '.claude/.credentials.json': { claudeAiOauth: { accessToken: 'a-token', scopes: ['user:profile'] } },
}

const oldChatGpt = { '.codex/auth.json': { OPENAI_API_KEY: null, tokens: { id_token: 't' } } }
const openAiKey = { '.codex/auth.json': { auth_mode: 'apikey', OPENAI_API_KEY: 'sk-file' } }
const both = { '.codex/auth.json': { auth_mode: 'chatgpt', OPENAI_API_KEY: 'sk-file', tokens: {} } }

describe('who would pay for a turn', () => {
  const rows: [
    title: string,
    options: Options,
    variables: Record<string, string>,
    files: Files,
    payer: string,
    by: string[],
  ][] = [
    ['an API key', { adapter: 'claude-code' }, { ANTHROPIC_API_KEY: 'k' }, {}, 'api', ['ANTHROPIC_API_KEY']],
    [
      'a key before the subscription',
      { adapter: 'claude-code' },
      { ANTHROPIC_API_KEY: 'k' },
      claudeAi,
      'api',
      ['ANTHROPIC_API_KEY'],
    ],
    [
      'a key before a token of the subscription',
      { adapter: 'claude-code' },
      { ANTHROPIC_API_KEY: 'k', CLAUDE_CODE_OAUTH_TOKEN: 'o' },
      {},
      'api',
      ['ANTHROPIC_API_KEY'],
    ],
    [
      'a token of the subscription',
      { adapter: 'claude-code' },
      { CLAUDE_CODE_OAUTH_TOKEN: 'o' },
      claudeAi,
      'subscription',
      ['CLAUDE_CODE_OAUTH_TOKEN'],
    ],
    [
      'a cloud before everything',
      { adapter: 'claude-code' },
      { CLAUDE_CODE_USE_BEDROCK: '1', CLAUDE_CODE_OAUTH_TOKEN: 'o' },
      claudeAi,
      'api',
      ['CLAUDE_CODE_USE_BEDROCK'],
    ],
    [
      'a cloud that is turned off is none',
      { adapter: 'claude-code' },
      { CLAUDE_CODE_USE_BEDROCK: '0' },
      claudeAi,
      'subscription',
      ["the user's sign-in"],
    ],
    ['claude.ai', { adapter: 'claude-code' }, {}, claudeAi, 'subscription', ["the user's sign-in"]],
    [
      'a login that is not for inference',
      { adapter: 'claude-code' },
      {},
      claudeWithoutInference,
      'nobody',
      [],
    ],
    [
      'a file that is no JSON',
      { adapter: 'claude-code' },
      {},
      { '.claude/.credentials.json': 'oops' },
      'unknown',
      ["the user's sign-in"],
    ],
    [
      'the sign-in alone, as asked',
      { adapter: 'claude-code', credentials: { set: 'sign-in' } },
      { ANTHROPIC_API_KEY: 'k' },
      claudeAi,
      'subscription',
      ["the user's sign-in"],
    ],
    [
      "the user's own home, whatever lies in it",
      { adapter: 'claude-code', home: 'user', conversations: 'keep' },
      { ANTHROPIC_API_KEY: 'k' },
      claudeAi,
      'unknown',
      ['ANTHROPIC_API_KEY', "what the user's own settings say"],
    ],
    ['ChatGPT', { adapter: 'codex-cli' }, {}, chatGpt, 'subscription', ["the user's sign-in"]],
    [
      'ChatGPT, as old versions wrote it',
      { adapter: 'codex-cli' },
      {},
      oldChatGpt,
      'subscription',
      ["the user's sign-in"],
    ],
    [
      'a key that codex was logged in with',
      { adapter: 'codex-cli' },
      {},
      openAiKey,
      'api',
      ["the user's sign-in"],
    ],
    ['a file with both', { adapter: 'codex-cli' }, {}, both, 'mixed', ["the user's sign-in"]],
    ['a mode of a later version', { adapter: 'codex-cli' }, {}, newMode, 'unknown', ["the user's sign-in"]],
    ['an empty file', { adapter: 'codex-cli' }, {}, { '.codex/auth.json': {} }, 'nobody', []],
    [
      'a key before ChatGPT',
      { adapter: 'codex-cli' },
      { CODEX_API_KEY: 'k' },
      chatGpt,
      'api',
      ['CODEX_API_KEY'],
    ],
    ['a key that codex does not take', { adapter: 'codex-cli' }, { OPENAI_API_KEY: 'k' }, {}, 'nobody', []],
    [
      'a token that only new versions take, beside a key in the file',
      { adapter: 'codex-cli' },
      { CODEX_ACCESS_TOKEN: 't' },
      openAiKey,
      'mixed',
      ['CODEX_ACCESS_TOKEN', "the user's sign-in"],
    ],
    ['several logins of pi', { adapter: 'pi-cli' }, {}, piLogins, 'mixed', ["the user's sign-in"]],
    [
      'the login of the model',
      { adapter: 'pi-cli', model: 'anthropic/claude-sonnet-4-5' },
      {},
      piLogins,
      'subscription',
      ["the user's sign-in"],
    ],
    [
      'a login and a key of another provider',
      { adapter: 'pi-cli' },
      { OPENAI_API_KEY: 'k' },
      piOauth,
      'mixed',
      ['OPENAI_API_KEY', "the user's sign-in"],
    ],
    [
      'a sign-in of cursor that nobody sees',
      { adapter: 'cursor-cli' },
      {},
      {},
      'subscription',
      ["the user's sign-in"],
    ],
    [
      "cursor's key, which the account pays for",
      { adapter: 'cursor-cli' },
      { CURSOR_API_KEY: 'k' },
      {},
      'subscription',
      ['CURSOR_API_KEY', "the user's sign-in"],
    ],
    [
      'none',
      { adapter: 'claude-code', credentials: 'none' },
      { ANTHROPIC_API_KEY: 'k' },
      claudeAi,
      'nobody',
      [],
    ],
    [
      'an endpoint',
      { adapter: 'claude-code', endpoint: { url: 'http://127.0.0.1:1' } },
      { ANTHROPIC_API_KEY: 'k' },
      claudeAi,
      'api',
      ["the endpoint's own credential"],
    ],
    [
      'an adapter that does not tell of its sign-in',
      { adapter: tinyCli() },
      {},
      { '.tiny/key': 'sk' },
      'unknown',
      ["the user's sign-in"],
    ],
  ]
  test.each(rows)('%s', (_title, options, variables, files, payer, by) => {
    const plan = planTurn(checkTurnOptions(optionsFor(options, variables, files)), 'turn-1')
    expect(paymentOf(plan)).toEqual({ payer, by })
  })

  test('a sign-in that stands in a home directory counts before the one that would be linked', () => {
    const options = optionsFor({ adapter: 'codex-cli' }, {}, chatGpt)
    const home = options.environment?.HOME ?? ''
    mkdirSync(join(home, 'private'))
    writeFileSync(join(home, 'private/auth.json'), JSON.stringify(openAiKey['.codex/auth.json']))
    expect(paymentOf(planTurn(checkTurnOptions(options), 'turn-1')).payer).toBe('api')
  })
})
