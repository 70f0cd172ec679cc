import { closeSync, openSync } from 'node:fs'
import { defineAdapter } from '../../../src/adapters/adapter.ts'
import { startTurn } from '../../../src/run/turn.ts'
import { tinyCli } from '../../tiny-cli.ts'

/** A host that may open only a few more files: `full-host.js <binary> <how many>`. Says how its turn ended, then whether the next is good. */
const [, , binary = '', spare = ''] = process.argv
const tiny = tinyCli()
const turn = () =>
  startTurn({
    // As in probe.ts: the version comes from the package.json beside the program.
    adapter: defineAdapter({ ...tiny, version: { ...tiny.version, packages: ['probe'] } }),
    prompt: 'hello',
    binary,
    home: 'user',
  }).completion

const files: number[] = []
try {
  for (;;) files.push(openSync('/dev/null', 'r'))
} catch {
  for (const file of files.splice(0, Number(spare))) closeSync(file)
}
const { status, error } = await turn()
for (const file of files) closeSync(file)
const next = await turn()
console.log(JSON.stringify([status, error?.code, error?.message.replace(binary, 'BINARY'), next.status]))
