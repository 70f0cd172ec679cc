import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { realAcpAgents, realClis } from '../../scripts/real-clis.mjs'

const read = (name: string) => readFile(new URL(`../clis/${name}`, import.meta.url), 'utf8')

it('every pinned CLI is in the table, at exactly the version that is pinned', async () => {
  const pins: Record<string, string> = JSON.parse(await read('package.json')).dependencies
  const pinned = Object.entries(pins).map(([alias, pin]) => `${alias} ${pin.split('@').at(-1)}`)
  const inTables = [...realClis, ...realAcpAgents].map(({ alias, version }) => `${alias} ${version}`)
  expect(inTables.sort()).toEqual(pinned.sort())
})

it('the lockfile names no registry host', async () => {
  expect(await read('package-lock.json')).not.toContain('"resolved"')
})
