import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { present } from '../options/present.ts'
import type { Schema } from '../options/schema-types.ts'
import type { TurnOptions } from '../options/turn-options.ts'
import type { PromptPart } from '../protocol/prompt.ts'
import { type CommandLine, type Flag, UsageError } from './flags.ts'

/** The options of a turn as flags: those of `run`, `record` and `env`. */
export const turnFlags: readonly Flag[] = [
  { name: 'model', short: 'm', value: 'NAME', help: "the model, in the CLI's own words" },
  { name: 'effort', value: 'WORD', help: 'how hard it should think' },
  { name: 'cwd', short: 'C', value: 'DIRECTORY', help: 'where the CLI works (default: here)' },
  { name: 'image', value: 'FILE', many: true, help: 'an image that goes with the prompt' },
  {
    name: 'output-schema',
    value: 'FILE',
    help: 'a JSON Schema that the answer must fit: structuredOutput of the completion',
  },
  { name: 'transport', value: 'WORD', help: 'auto (default), structured (one-shot) or live' },
  { name: 'approvals', value: 'WORD', help: 'deny (default), auto or approve-all' },
  { name: 'sandbox', value: 'WORD', help: 'read-only, workspace-write or off' },
  { name: 'network', help: "let the CLI's tools reach the network" },
  { name: 'no-network', help: "keep the CLI's tools off the network" },
  { name: 'background-tasks', value: 'WORD', help: 'forbid (default) or wait' },
  { name: 'system-prompt', value: 'TEXT', help: "replaces the CLI's own" },
  { name: 'append-system-prompt', value: 'TEXT', help: "comes after the CLI's own" },
  { name: 'prompt-expansion', help: 'let the CLI expand @file and /command in the prompt' },
  { name: 'no-project-instructions', help: 'keep AGENTS.md and CLAUDE.md out' },
  {
    name: 'project-configuration',
    value: 'WORD',
    help: 'ignore (default), or trust: the hooks, MCP servers and extensions in cwd run',
  },
  { name: 'resume', value: 'SESSION', help: 'go on with an earlier conversation' },
  { name: 'fork', help: 'go on with a copy of it' },
  { name: 'conversations', value: 'WHERE', help: 'keep (default), discard or a directory' },
  { name: 'home', value: 'WHERE', help: 'private (default), user or a directory' },
  { name: 'endpoint', value: 'URL', help: "a gateway instead of the provider's own" },
  { name: 'endpoint-api', value: 'API', help: 'anthropic, openai-responses or openai-chat' },
  {
    name: 'endpoint-credential',
    value: 'VARIABLE',
    help: "the environment variable that holds the gateway's key",
  },
  { name: 'credentials', value: 'SET', help: 'inherit (default), none, sign-in or the name of a set' },
  { name: 'billing', value: 'WORD', help: 'who may be billed: any (default), api or subscription' },
  {
    name: 'credential-exposure',
    value: 'WORD',
    help: "auto (default), hidden from the agent's shell or nothing starts, or visible",
  },
  {
    name: 'scope',
    value: 'KEY[=VALUE]',
    many: true,
    help: 'grant SECRET_*, VAR_*, MCP_*; without a value, that of our own environment',
  },
  { name: 'inherit', value: 'NAME', many: true, help: 'pass a variable on that would be dropped' },
  { name: 'reserve', value: 'NAME', many: true, help: 'a variable that never passes; PREFIX_* for many' },
  { name: 'git', value: 'WORD', help: 'keep (default), or neutral: no configuration, prompts or editor' },
  { name: 'configuration', value: 'JSON', help: "the CLI's own settings" },
  { name: 'argument', value: 'FLAG', many: true, help: "one of the CLI's own arguments: --argument=--flag" },
  { name: 'binary', value: 'FILE', many: true, help: 'the CLI; several: a command and its arguments' },
  { name: 'timeout', value: 'SECONDS', help: 'for the whole turn' },
  { name: 'idle-timeout', value: 'SECONDS', help: 'for silence while no tool runs' },
]

/** What the flags say of a turn, but for its adapter and prompt. */
export function turnOptionsOf(
  { values }: CommandLine,
  environment: Readonly<Record<string, string | undefined>>,
): Omit<TurnOptions<Schema>, 'adapter' | 'prompt'> {
  const one = (name: string) => values.get(name)?.[0]
  const word = <const Words extends readonly string[]>(name: string, words: Words) =>
    oneOf(name, one(name), words)
  const replace = one('system-prompt')
  const append = one('append-system-prompt')
  const network = values.has('network') ? true : values.has('no-network') ? false : undefined
  return present({
    model: one('model'),
    effort: one('effort'),
    cwd: one('cwd'),
    outputSchema: outputSchemaOf(one('output-schema')),
    transport: word('transport', ['auto', 'structured', 'live']),
    approvals: word('approvals', ['deny', 'auto', 'approve-all']),
    sandbox: word('sandbox', ['read-only', 'workspace-write', 'off']),
    network,
    backgroundTasks: word('background-tasks', ['forbid', 'wait']),
    systemPrompt: replace === undefined && append === undefined ? undefined : present({ replace, append }),
    promptExpansion: values.has('prompt-expansion') || undefined,
    projectInstructions: values.has('no-project-instructions') ? false : undefined,
    projectConfiguration: word('project-configuration', ['ignore', 'trust']),
    resume: one('resume'),
    fork: values.has('fork') || undefined,
    conversations: place(one('conversations'), ['keep', 'discard']),
    home: place(one('home'), ['private', 'user']),
    endpoint: endpointOf(one, environment),
    credentials: credentialsOf(one('credentials')),
    billing: word('billing', ['any', 'api', 'subscription']),
    credentialExposure: word('credential-exposure', ['auto', 'hidden', 'visible']),
    scope: scopeOf(values.get('scope'), environment),
    inherit: values.get('inherit') && [...(values.get('inherit') ?? [])],
    reserve: values.get('reserve') && [...(values.get('reserve') ?? [])],
    git: word('git', ['keep', 'neutral']),
    configuration: configurationOf(one('configuration')),
    arguments: values.get('argument') && [...(values.get('argument') ?? [])],
    binary: binaryOf(values.get('binary')),
    budgets: budgetsOf(one),
  })
}

export function oneOf<const Words extends readonly string[]>(
  name: string,
  value: string | undefined,
  words: Words,
): Words[number] | undefined {
  if (value === undefined) return undefined
  const known = words.find((each) => each === value)
  if (known === undefined) throw new UsageError(`--${name} is "${value}".`, `It takes ${words.join(', ')}.`)
  return known
}

function place<const Words extends readonly string[]>(value: string | undefined, words: Words) {
  if (value === undefined) return undefined
  return words.find((each): each is Words[number] => each === value) ?? { directory: value }
}

type One = (name: string) => string | undefined

function endpointOf(one: One, environment: Readonly<Record<string, string | undefined>>) {
  const url = one('endpoint')
  const variable = one('endpoint-credential')
  if (url === undefined) {
    if (variable !== undefined || one('endpoint-api') !== undefined) {
      throw new UsageError('--endpoint-api and --endpoint-credential need --endpoint URL.')
    }
    return undefined
  }
  const credential = variable === undefined ? undefined : environment[variable]
  if (variable !== undefined && !credential) throw new UsageError(`The environment has no ${variable}.`)
  const api = oneOf('endpoint-api', one('endpoint-api'), ['anthropic', 'openai-responses', 'openai-chat'])
  return { url, ...present({ api, credential }) }
}

function credentialsOf(value: string | undefined) {
  if (value === undefined || value === 'inherit' || value === 'none') return value
  return { set: value }
}

/** A value given here would stand in the process list: without one it is taken from the environment. */
function scopeOf(
  entries: readonly string[] | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> | undefined {
  if (!entries) return undefined
  return Object.fromEntries(
    entries.map((entry) => {
      const [key = '', ...rest] = entry.split('=')
      const value = rest.length > 0 ? rest.join('=') : environment[key]
      if (value === undefined) throw new UsageError(`--scope ${key}: the environment has no ${key}.`)
      return [key, value]
    }),
  )
}

function outputSchemaOf(file: string | undefined): Schema | undefined {
  if (file === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const what = error instanceof SyntaxError ? 'is no JSON' : 'cannot be read'
    throw new UsageError(`--output-schema ${file} ${what}.`, 'It takes a file with a JSON Schema.')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new UsageError(`--output-schema ${file} is no JSON Schema.`, 'It takes a file with a JSON object.')
}

function configurationOf(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw new UsageError('--configuration is no JSON object.', `Such as --configuration '{"key": "value"}'.`)
}

function binaryOf(words: readonly string[] | undefined): string | [string, ...string[]] | undefined {
  const [first, ...rest] = words ?? []
  return first === undefined || rest.length === 0 ? first : [first, ...rest]
}

function budgetsOf(one: One) {
  const totalMs = milliseconds('timeout', one('timeout'))
  const idleMs = milliseconds('idle-timeout', one('idle-timeout'))
  return totalMs === undefined && idleMs === undefined ? undefined : present({ totalMs, idleMs })
}

function milliseconds(name: string, seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined
  const value = Number(seconds)
  if (seconds.trim() !== '' && Number.isFinite(value) && value > 0) return Math.ceil(value * 1_000)
  throw new UsageError(`--${name} is "${seconds}".`, 'It takes a number of seconds above 0.')
}

const imageTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
}

/** The prompt with the images that --image names. */
export function promptWithImages(text: string, { values }: CommandLine): string | PromptPart[] {
  const images = values.get('image')?.map(imagePart) ?? []
  return images.length === 0 ? text : [{ type: 'text', text }, ...images]
}

function imagePart(file: string): PromptPart {
  const mimeType = imageTypes[extname(file).toLowerCase()]
  if (mimeType === undefined) {
    throw new UsageError(`--image ${file} is no image.`, `It takes ${Object.keys(imageTypes).join(', ')}.`)
  }
  try {
    return { type: 'image', mimeType, data: readFileSync(file, 'base64') }
  } catch {
    throw new UsageError(`--image ${file} cannot be read.`)
  }
}
