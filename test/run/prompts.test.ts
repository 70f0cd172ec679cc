import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTurn } from '../../src/index.ts'
import { fakeCli } from '../../src/testing/fake-cli.ts'
import { prints, spokenClis } from './fault-table-clis.ts'
import { scratch } from './probe.ts'

const eightMegabytes = `Begin. ${'All hands on deck. '.repeat(442_000)}End.`

describe.each(spokenClis)('$adapter', (cli) => {
  test.each([
    ['begins with -', '- [ ] a task\n--help', '- [ ] a task\n--help'],
    ['begins with --', '--version', '--version'],
    ['begins with @', '@/etc/hostname', '@/etc/hostname'],
    // claude runs a command only where the slash is the very first character.
    ['begins with /', '/cost of rope?', cli.adapter === 'claude-code' ? ' /cost of rope?' : '/cost of rope?'],
    ['is 8 MB long', eightMegabytes, eightMegabytes],
  ])(
    'a prompt that %s is on stdin, to the last character, and nowhere else',
    async (_what, prompt, stdin) => {
      await using fake = await fakeCli({
        version: cli.version,
        steps: [{ waitFor: 'stdin-end' }, ...prints(cli.hello, cli.says('Aye.'), cli.bye)],
      })
      const turn = startTurn({
        adapter: cli.adapter,
        transport: 'structured',
        prompt,
        binary: fake.binary,
        cwd: scratch,
        home: { directory: join(scratch, `home-${cli.adapter}`) },
        conversations: { directory: join(scratch, 'talks') },
      })
      expect(await turn.completion).toMatchObject({ status: 'success', text: 'Aye.' })
      const read = await fake.seen('stdin')
      // Not with toBe: a difference in 8 MB is nothing to look at.
      expect([read.text.length, read.text === stdin]).toEqual([stdin.length, true])
      const { argv, env } = await fake.seen('started')
      expect(argv.filter((word) => word.includes(prompt.slice(0, 100)))).toEqual([])
      expect(Object.values(env).filter((value) => value.includes(prompt))).toEqual([])
    },
  )
})
