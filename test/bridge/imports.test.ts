import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const source = new URL('../../src/', import.meta.url)

/** What a file loads when it is loaded: neither types nor what is imported later. */
function loadedBy(file: URL): string[] {
  const code = readFileSync(file, 'utf8')
  const found = code.matchAll(/^(?:import|export)\s(?!type\b)(?:[^'"]*?\sfrom\s)?\s*'([^']+)'/gm)
  return [...found].map(([, name = '']) => name)
}

/** The packages that loading a file of ours loads. */
function packagesOf(entry: string): Set<string> {
  const packages = new Set<string>()
  const files = new Set([new URL(entry, source).href])
  for (const file of files) {
    for (const name of loadedBy(new URL(file))) {
      if (name.startsWith('.')) files.add(new URL(name, file).href)
      else packages.add(name)
    }
  }
  return packages
}

test('the regular expression of this test sees what it should', () => {
  expect([...packagesOf('bridge/tool-server.ts')]).toContain('@modelcontextprotocol/sdk/server/index.js')
  expect([...packagesOf('index.ts')]).toContain('execa')
})

test.each(['index.ts', 'bridge.ts', 'bridge/served-tools.ts'])(
  '%s loads neither the MCP SDK nor ajv',
  (entry) => {
    const heavy = [...packagesOf(entry)].filter((name) => /^(?:@modelcontextprotocol\/|ajv)/.test(name))
    expect(heavy).toEqual([])
  },
)

test('the bridge knows nothing of turns and adapters; only the asking of servers starts a process', () => {
  const folder = new URL('bridge/', source)
  const knowing = readdirSync(folder).filter((file) =>
    loadedBy(new URL(file, folder)).some((name) => /^\.\.\/(?:run|adapters)\//.test(name)),
  )
  expect(knowing).toEqual(['probe-server.ts'])
})
