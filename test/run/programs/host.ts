import { defineAdapter } from '../../../src/adapters/adapter.ts'
import { startTurn } from '../../../src/run/turn.ts'
import { tinyCli } from '../../tiny-cli.ts'

/** A host of its own: `host.js <binary> wait|exit|throw`. Starts a turn and says `session` when the CLI has. */
const [, , binary = '', how = ''] = process.argv
const tiny = tinyCli()
const turn = startTurn({
  // As in probe.ts: the version comes from the package.json beside the program.
  adapter: defineAdapter({ ...tiny, version: { ...tiny.version, packages: ['probe'] } }),
  prompt: 'hello',
  binary,
  home: 'user',
})
for await (const event of turn) {
  if (event.type !== 'session') continue
  console.log('session')
  if (how === 'exit') process.exit(3)
  if (how === 'throw') {
    process.nextTick(() => {
      throw new Error('The host crashes here, as this test wants.')
    })
  }
}
