// Rewrites the .events.json of every fixture from its raw output. Run `npm run build` first; review the diff.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { adapters } from '../dist/index.js'
import { updateSnapshots } from '../dist/testing.js'

for (const adapter of Object.values(adapters)) {
  const folder = fileURLToPath(new URL(`../fixtures/${adapter.id}/`, import.meta.url))
  if (!existsSync(folder)) continue
  for (const name of updateSnapshots(adapter, folder)) console.log(`${adapter.id}/${name}`)
}
