import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'

const source = new URL('../src/', import.meta.url)

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.[jt]s$/.test(file),
)

/** The modules that a source text imports, in any way that a module can be imported. */
function importsOf(code: string): string[] {
  const found = code.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"`]([^'"`]+)['"`]/g)
  return [...found].map(([, name = '']) => name)
}

function filesThatImport(...modules: string[]): string[] {
  return files
    .filter((file) =>
      importsOf(readFileSync(new URL(file, source), 'utf8')).some((name) => modules.includes(name)),
    )
    .sort()
}

describe('processes', () => {
  // Each of these gives its child an environment of its own making; see the next test.
  const thatSpawn = [
    'run/child.ts',
    'run/processes.ts',
    'run/version.ts',
    'run/watchdog-process.js',
    'run/watchdog.ts',
    'testing/cursor-stand-in-mcp.js',
    'testing/cursor-stand-in-process.js',
    'testing/fake-cli-process.js',
  ]

  test('are started by these files only', () => {
    expect(filesThatImport('node:child_process', 'child_process', 'execa', 'node:cluster')).toEqual(thatSpawn)
  })

  // A child without an environment of its own has the host's whole one: what a CLI is must never have. The stand-ins of
  // src/testing are CLIs themselves, whose own children have what they have.
  test.each(thatSpawn.filter((file) => file.startsWith('run/')))(
    'each one of %s is given its environment',
    (file) => {
      const code = readFileSync(new URL(file, source), 'utf8')
      const calls = [...code.matchAll(/\b(?:spawn|spawnSync|execa|execFile|execFileSync|fork)\(/g)].map(
        ({ index }) => code.slice(index, index + 400),
      )
      expect(calls.length).toBeGreaterThan(0)
      for (const call of calls) expect(call).toMatch(/\benv\b\s*[:,}]/)
    },
  )
})

test('no file imports itself by way of others, not even their types: each stands on what is below it', () => {
  const open = new Map(
    files.map((file) => {
      const code = readFileSync(new URL(file, source), 'utf8')
      const targets = importsOf(code).filter((name) => name.startsWith('.'))
      return [file, targets.map((name) => posix.join(posix.dirname(file), name))] as const
    }),
  )
  // What imports nothing that is left is no part of a circle; nor, then, is what imports only that.
  const leaves = () => [...open].filter(([, targets]) => !targets.some((target) => open.has(target)))
  for (let found = leaves(); found.length > 0; found = leaves()) {
    for (const [file] of found) open.delete(file)
  }
  expect([...open.keys()]).toEqual([])
})

test('files, sockets and processes are for src/run and the rooms with I/O of their own', () => {
  const modules = ['fs', 'fs/promises', 'net', 'http', 'https', 'http2', 'dgram', 'tls', 'worker_threads']
  const rooms = /^(?:run|bridge|forwarder|cli|testing)\//
  const elsewhere = filesThatImport(...modules.flatMap((name) => [name, `node:${name}`])).filter(
    (file) => !rooms.test(file),
  )
  expect(elsewhere).toEqual([])
})

test('no adapter, wire or rule reads the clock, chance or the environment of its own', () => {
  const pure = files.filter((file) => /^(?:adapters|protocol|env)\//.test(file))
  const impure = pure.filter((file) => {
    const code = readFileSync(new URL(file, source), 'utf8').replace(/^\s*(?:\/?\*|\/\/).*$/gm, '')
    return /\bprocess\.(?:env|argv|cwd|pid)|\bMath\.random|\brandom(?:UUID|Bytes)\b|\bset(?:Timeout|Interval)\(/.test(
      code,
    )
  })
  expect(impure).toEqual([])
})

test("a CLI's room is entered by its own declaration only; Cursor's CLI speaks ACP", () => {
  const entered = files.flatMap((file) => {
    const code = readFileSync(new URL(file, source), 'utf8')
    const targets = importsOf(code)
      .filter((name) => name.startsWith('.'))
      .map((name) => posix.join(posix.dirname(file), name))
    return targets.flatMap((target) => {
      const room = /^adapters\/([^/]+)\//.exec(target)?.[1]
      const isAtHome = file === `adapters/${room}.ts` || file.startsWith(`adapters/${room}/`)
      return room === undefined || isAtHome ? [] : [`${posix.dirname(file)} -> adapters/${room}`]
    })
  })
  expect([...new Set(entered)]).toEqual(['adapters/cursor-cli -> adapters/acp'])
})
