import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { trustOf } from '../../src/forwarder/trust.ts'
import { makeCertificate } from './certificate.ts'

const folder = mkdtempSync(join(tmpdir(), 'coxswain-trust-'))
const authority = join(folder, 'authority.pem')
const variables = { NODE_EXTRA_CA_CERTS: authority }
afterAll(() => rmSync(folder, { recursive: true }))

test('certificates are read into a context once for all turns that trust the same', () => {
  writeFileSync(authority, makeCertificate().cert)
  expect(trustOf(variables)).toBe(trustOf({ ...variables, HOME: folder }))
})

test('a file that has changed since, or that another turn is not told of, makes another context', () => {
  writeFileSync(authority, makeCertificate().cert)
  const before = trustOf(variables)
  writeFileSync(authority, makeCertificate().cert)
  const after = trustOf(variables)
  expect(after).not.toBe(before)
  expect(trustOf({})).not.toBe(after)
})
