import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const source = new URL('../../src/', import.meta.url)
const files = readdirSync(new URL('env/', source), { recursive: true, encoding: 'utf8' })
  .map((file) => `env/${file}`)
  .concat('env.ts')

function importsOf(file: string): string[] {
  const code = readFileSync(new URL(file, source), 'utf8')
  const found = code.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"`]([^'"`]+)['"`]/g)
  return [...found].map(([, name = '']) => name)
}

test('src/env imports nothing but errors.ts, its own files, and two parts of Node without input or output', () => {
  const foreign = files.flatMap(importsOf).filter((name) => !/^\.\/(?:env\/)?[\w-]+\.ts$/.test(name))
  expect([...new Set(foreign)].sort()).toEqual(['../errors.ts', 'node:crypto', 'node:path'])
})

test('errors.ts imports nothing at all', () => {
  expect(importsOf('errors.ts')).toEqual([])
})

test('src/env reads no environment of its own', () => {
  const code = files.map((file) => readFileSync(new URL(file, source), 'utf8'))
  const uses = code.join('\n').match(/^(?!\s*(?:\/?\*|\/\/)).*\bprocess\.\w+/gm)
  expect(uses).toBeNull()
})
