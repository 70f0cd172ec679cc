import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('../../src/env/', import.meta.url)

test('src/env imports nothing but errors.ts, its own files, and two parts of Node without input or output', () => {
  const imports = readdirSync(folder).flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
      (found) => found[1],
    ),
  )
  const foreign = imports.filter((name) => !name?.startsWith('./'))
  expect([...new Set(foreign)].sort()).toEqual(['../errors.ts', 'node:crypto', 'node:path'])
})

test('src/env reads no environment of its own', () => {
  const code = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'))
  const uses = code.join('\n').match(/^(?!\s*(?:\/?\*|\/\/)).*\bprocess\.\w+/gm)
  expect(uses).toBeNull()
})
