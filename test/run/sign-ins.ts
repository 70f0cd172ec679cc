import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TurnOptions } from '../../src/index.ts'
import { scratch, scratchFile } from './probe.ts'

export type Files = Record<string, unknown>
export type Options = Omit<TurnOptions, 'prompt'>

export const claudeAi = {
  '.claude/.credentials.json': { claudeAiOauth: { accessToken: 'a-token', scopes: ['user:inference'] } },
}

export const chatGpt = {
  '.codex/auth.json': { auth_mode: 'chatgpt', OPENAI_API_KEY: null, tokens: { id_token: 't' } },
}

export const newMode = { '.codex/auth.json': { auth_mode: 'telepathy' } }
export const piLogins = {
  '.pi/agent/auth.json': { anthropic: { type: 'oauth', access: 'x' }, openai: { type: 'api_key', key: 'y' } },
}
export const piOauth = { '.pi/agent/auth.json': { anthropic: { type: 'oauth', access: 'x' } } }

/** A HOME of its own, with these files in it. */
export function userHome(files: Files): string {
  const home = scratchFile('user')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  mkdirSync(home, { recursive: true })
  return home
}

export function optionsFor(options: Options, variables: Record<string, string>, files: Files): TurnOptions {
  const home = userHome(files)
  return {
    prompt: 'hello',
    cwd: scratch,
    environment: { PATH: process.env.PATH, HOME: home, ...variables },
    home: { directory: join(home, 'private') },
    conversations: { directory: join(home, 'talks') },
    ...options,
  }
}
