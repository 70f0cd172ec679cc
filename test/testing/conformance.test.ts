import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Adapter, defineAdapter, type Exit, type Step } from '../../src/index.ts'
import { testAdapter, updateSnapshots } from '../../src/testing.ts'
import { TinyWire, tinyCli, tinyOutput, tinyTurn } from '../tiny-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'coxswain-conformance-'))
const fixtures = pathToFileURL(`${folder}/`)

const expected = {
  status: 'success',
  text: 'Done.',
  tools: [
    { name: 'shell', status: 'completed' },
    { name: 'shell', status: 'completed' },
  ],
  retracted: ['Let me'],
}

const failed = [...tinyTurn.slice(0, -1), { type: 'bye', error: '401 Unauthorized' }]

beforeAll(() => {
  mkdirSync(join(folder, '1.2.0'))
  const write = (name: string, content: string) => writeFileSync(join(folder, '1.2.0', name), content)
  write('turn.jsonl', tinyOutput)
  write('turn.expect.json', JSON.stringify(expected))
  write('failed.jsonl', failed.map((record) => JSON.stringify(record)).join('\n'))
  write('failed.exit.json', '{"exitCode":1,"signal":null}')
  write('failed.stderr', 'it failed\n')
  write('failed.expect.json', JSON.stringify({ ...expected, status: 'error', code: 'auth' }))
  updateSnapshots(tinyCli(), fixtures)
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the suite and gives the names of the promises that were broken, with why. */
function broken(adapter: Adapter): Record<string, string> {
  const faults: Record<string, string> = {}
  testAdapter(adapter, {
    fixtures,
    test: (name, run) => {
      try {
        run()
      } catch (error) {
        faults[name] = error instanceof Error ? error.message : String(error)
      }
    },
  })
  return faults
}

describe('the suite accepts an adapter made with public exports only', () => {
  it('with every promise as a test of its own', () => {
    const names: string[] = []
    testAdapter(tinyCli(), { fixtures, test: (name) => names.push(name) })
    expect(names).toEqual([
      'tiny-cli: the declaration is complete',
      'tiny-cli: launch is pure, and keeps the prompt and secrets off argv',
      'tiny-cli: reserved flags and settings are refused by name',
      'tiny-cli: there are fixtures',
      ...['1.2.0/failed', '1.2.0/turn'].flatMap((fixture) =>
        [
          'the guarantees hold',
          'the turn went as a person wrote down',
          'the events are the reviewed ones',
          'the same bytes give the same events, however they are cut',
          'what nobody knows is said and changes nothing',
          'an output that ends early is no success',
          'records with missing or strange fields are not fatal',
        ].map((promise) => `tiny-cli ${fixture}: ${promise}`),
      ),
    ])
  })

  it('and finds nothing to complain of', () => {
    expect(broken(tinyCli())).toEqual({})
  })
})

describe('the suite finds an adapter that breaks a promise', () => {
  class Silent extends TinyWire {
    override receive(record: Record<string, unknown>): Step {
      return tinyTurn.some((known) => known.type === record.type) ? super.receive(record) : { events: [] }
    }
  }
  class Fragile extends TinyWire {
    override receive(record: Record<string, unknown>): Step {
      if (record.type === 'call' && typeof record.name !== 'string') throw new TypeError('no name')
      return super.receive(record)
    }
  }
  class Trusting extends TinyWire {
    override end(exit: Exit): Step {
      const step = super.end(exit)
      const events = step.events.map((event) => {
        if (event.type !== 'completion' || exit.exitCode !== 0) return event
        const { error: _error, ...rest } = event
        return { ...rest, status: 'success' as const, evidence: { by: 'exit' as const, detail: 'exit 0' } }
      })
      return { events }
    }
  }
  class Repeating extends TinyWire {
    override receive(record: Record<string, unknown>): Step {
      const step = super.receive(record)
      return record.type === 'said' ? { events: [...step.events, ...step.events] } : step
    }
  }
  const shared = new TinyWire()
  let counter = 0

  const adapterWith = (changes: object): Adapter => defineAdapter({ ...tinyCli(), ...changes })
  const launched = (changes: (argv: string[], prompt: string) => string[]) =>
    adapterWith({
      structured: {
        ...tinyCli().structured,
        launch: (...input: Parameters<Adapter['structured']['launch']>) => {
          const launch = tinyCli().structured.launch(...input)
          return { ...launch, arguments: changes(launch.arguments, launch.stdin) }
        },
      },
    })

  const rows: [string, Adapter, string, RegExp][] = [
    ['silence about the unknown', tinyCli(() => new Silent()), 'what nobody knows', /not said once/],
    ['an exception on a missing field', tinyCli(() => new Fragile()), 'missing or strange', /no name/],
    ['success by exit code', tinyCli(() => new Trusting()), 'ends early', /success by exit/],
    [
      'a message said twice',
      tinyCli(() => new Repeating()),
      'the guarantees hold',
      /guarantee 3: .*line 8\)/s,
    ],
    ['one wire for all turns', tinyCli(() => shared), 'declaration', /new wire each time/],
    ['the prompt on argv', launched((argv, prompt) => [...argv, prompt]), 'launch is pure', /on argv/],
    [
      'another launch each time',
      launched((argv) => [...argv, String(counter++)]),
      'launch is pure',
      /the same/,
    ],
    ['a folder without fixtures', tinyCli(), 'there are fixtures', /no .jsonl/],
  ]
  it.each(rows)('%s', (title, adapter, promise, message) => {
    const faults = title === 'a folder without fixtures' ? brokenWithoutFixtures(adapter) : broken(adapter)
    const found = Object.entries(faults).find(([name]) => name.includes(promise))
    expect(found?.[1]).toMatch(message)
  })

  function brokenWithoutFixtures(adapter: Adapter): Record<string, string> {
    const faults: Record<string, string> = {}
    const empty = join(folder, 'empty')
    mkdirSync(empty, { recursive: true })
    testAdapter(adapter, {
      fixtures: empty,
      test: (name, run) => {
        try {
          run()
        } catch (error) {
          faults[name] = String(error)
        }
      },
    })
    return faults
  }

  it('a turn that went otherwise than written down, and events that changed', () => {
    const path = join(folder, '1.2.0', 'turn.jsonl')
    writeFileSync(path, tinyOutput.replace('Done.', 'Gone.'))
    const faults = broken(tinyCli())
    writeFileSync(path, tinyOutput)
    expect(Object.keys(faults)).toEqual([
      'tiny-cli 1.2.0/turn: the turn went as a person wrote down',
      'tiny-cli 1.2.0/turn: the events are the reviewed ones',
    ])
  })
})
