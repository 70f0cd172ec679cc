import type { Adapter, Launch, LiveLaunch } from '../adapters/adapter.ts'
import { AgentError, wordsOf } from '../errors.ts'
import { asObject } from '../protocol/narrow.ts'
import type { Wire } from '../protocol/wire.ts'

/** What an adapter launches, if it is sound: one from outside this package may be written in plain JavaScript. */
export function sound<L extends Launch | LiveLaunch>({ id }: Adapter, launch: L): L {
  const fault = faultOf(launch)
  if (fault === undefined) return launch
  throw new AgentError('spawn_failed', `The launch of the adapter "${id}" is wrong: ${fault}.`, {
    hint: 'This is a fault of the adapter: see `Launch`.',
  })
}

/** The wire for a turn, or for a process. Before the process: what has none cannot be listened to. */
export function wireOf({ id }: Adapter, protocol: { wire(): Wire }): Wire {
  try {
    return protocol.wire()
  } catch (error) {
    throw new AgentError('protocol', `The adapter "${id}" could not make its wire: ${wordsOf(error)}.`, {
      hint: 'This is a fault of the adapter: report it.',
      cause: error,
    })
  }
}

function faultOf(launch: unknown): string | undefined {
  if (launch instanceof Promise) {
    // Its rejection is nobody's to hear of any more.
    launch.catch(() => {})
    return 'it returned a promise, and must return at once'
  }
  const { arguments: words, environment, files, stdin, opening, firstSignal } = asObject(launch) ?? {}
  if (!isListOf(words, isArgument)) return '`arguments` must be a list of texts without NUL'
  if (!isListOf(Object.entries(asObject(environment) ?? { '': 0 }), isVariable)) {
    return '`environment` must be an object of names and texts'
  }
  if (!isListOf(files, isFile)) return '`files` must be a list of { path, content }, as texts'
  // A live launch has an opening in its place.
  if (typeof stdin !== 'string' && asObject(opening) === undefined) return '`stdin` must be a text'
  if (firstSignal !== 'SIGINT' && firstSignal !== 'SIGTERM') return '`firstSignal` must be SIGINT or SIGTERM'
  return undefined
}

function isListOf(value: unknown, isOne: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne)
}

function isArgument(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0')
}

function isVariable(pair: unknown): boolean {
  return Array.isArray(pair) && pair.every(isArgument) && pair[0] !== '' && !String(pair[0]).includes('=')
}

function isFile(value: unknown): boolean {
  const file = asObject(value)
  return typeof file?.path === 'string' && typeof file.content === 'string'
}
