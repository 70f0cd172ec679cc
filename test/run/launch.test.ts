import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  type Adapter,
  defineAdapter,
  explainEnvironment,
  type Launch,
  openSession,
  startTurn,
} from '../../src/index.ts'
import { tinyLiveCli } from '../tiny-live-cli.ts'
import { probe, scratch, scratchFile, shell } from './probe.ts'

const good: Launch = { arguments: [], environment: {}, files: [], stdin: '', firstSignal: 'SIGTERM' }

/** An adapter from plain JavaScript, whose launch is whatever this is. */
function adapterThatLaunches(launch: () => unknown): Adapter {
  const { structured } = probe
  const loose = Object.assign(Object.create(null), structured, { launch })
  return defineAdapter({ ...probe, structured: loose })
}

const faults: [title: string, launch: () => unknown, fault: string][] = [
  ['a promise', async () => good, 'it returned a promise, and must return at once'],
  [
    'a promise that fails',
    () => Promise.reject(new Error('boom')),
    'it returned a promise, and must return at once',
  ],
  ['nothing', () => undefined, '`arguments` must be a list of texts without NUL'],
  [
    'arguments that are no list',
    () => ({ ...good, arguments: 'x' }),
    '`arguments` must be a list of texts without NUL',
  ],
  [
    'an argument with a NUL',
    () => ({ ...good, arguments: ['a\0b'] }),
    '`arguments` must be a list of texts without NUL',
  ],
  [
    'no environment',
    () => ({ ...good, environment: undefined }),
    '`environment` must be an object of names and texts',
  ],
  [
    'a variable that is a number',
    () => ({ ...good, environment: { A: 1 } }),
    '`environment` must be an object of names and texts',
  ],
  [
    'a name with =',
    () => ({ ...good, environment: { 'A=B': '1' } }),
    '`environment` must be an object of names and texts',
  ],
  [
    'no files',
    () => ({ ...good, files: undefined }),
    '`files` must be a list of { path, content }, as texts',
  ],
  [
    'a file without content',
    () => ({ ...good, files: [{ path: 'x' }] }),
    '`files` must be a list of { path, content }, as texts',
  ],
  ['a number for stdin', () => ({ ...good, stdin: 7 }), '`stdin` must be a text'],
  ['another signal', () => ({ ...good, firstSignal: 'SIGUSR1' }), '`firstSignal` must be SIGINT or SIGTERM'],
]

describe('a launch that is none is told by the completion, as a fault of the adapter', () => {
  test.each(faults)('%s', async (_title, launch, fault) => {
    const turn = startTurn({
      adapter: adapterThatLaunches(launch),
      prompt: 'hello',
      binary: shell('exit 0'),
      cwd: scratch,
      home: { directory: scratchFile('home') },
    })
    const { status, error } = await turn.completion
    expect({ status, error }).toEqual({
      status: 'error',
      error: {
        code: 'spawn_failed',
        message: `The launch of the adapter "tiny-cli" is wrong: ${fault}.`,
        hint: 'This is a fault of the adapter: see `Launch`.',
        retryable: false,
      },
    })
  })

  test('and by the dry run, as an error', () => {
    const explain = () => explainEnvironment({ adapter: adapterThatLaunches(async () => good) })
    expect(explain).toThrow('The launch of the adapter "tiny-cli" is wrong')
  })
})

describe('a wire that cannot be made is told by the completion, as a fault of the adapter, and starts nothing', () => {
  const boom = (): never => {
    throw new TypeError('no sails')
  }
  const error = {
    code: 'protocol',
    message: 'The adapter "tiny-cli" could not make its wire: no sails.',
    hint: 'This is a fault of the adapter: report it.',
  }

  test.each(['structured', 'live'] as const)('%s', async (transport) => {
    const tiny = tinyLiveCli()
    const { live } = tiny
    if (!live) throw new Error('It speaks two protocols.')
    const adapter = defineAdapter({
      ...tiny,
      structured: { ...tiny.structured, wire: boom },
      live: { ...live, wire: boom },
    })
    const mark = scratchFile('started')
    const options = {
      adapter,
      transport,
      binary: shell(`case "$*" in *--version*) echo 1.1.0;; *) touch ${mark};; esac`),
      cwd: scratch,
      home: { directory: scratchFile('home') },
    }
    const completion = await startTurn({ ...options, prompt: 'hello' }).completion
    expect(completion).toMatchObject({ status: 'error', error, evidence: { by: 'spawn' } })
    if (transport === 'live') await expect(openSession(options)).rejects.toMatchObject(error)
    expect(existsSync(mark)).toBe(false)
  })
})
