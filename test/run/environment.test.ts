import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { collect, echo, goodTurn, scratchFile, shell, start } from './probe.ts'

/** What a real child of a turn has in its environment. */
async function seen(options: Parameters<typeof start>[1]): Promise<Record<string, string>> {
  const file = scratchFile('environment')
  await collect(start(shell(`env -0 > ${file}`, echo(...goodTurn)), options))
  const pairs = readFileSync(file, 'utf8').split('\0').filter(Boolean)
  return Object.fromEntries(pairs.map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)]))
}

test('what is reserved never reaches the child, and a neutral git is set after the scrub', async () => {
  const environment = {
    PATH: process.env.PATH,
    HARNESS_PLACE: 'x',
    HARNESSED: 'y',
    GIT_DIR: '/elsewhere/.git',
    GIT_EDITOR: 'vi',
  }
  const child = await seen({ environment, reserve: ['HARNESS_*'], git: 'neutral', inherit: ['GIT_EDITOR'] })
  expect(child).toMatchObject({
    HARNESSED: 'y',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_MERGE_AUTOEDIT: 'no',
  })
  expect(child).not.toHaveProperty('HARNESS_PLACE')
  expect(child).not.toHaveProperty('GIT_DIR')
  expect(await seen({ environment })).toMatchObject({
    HARNESS_PLACE: 'x',
    GIT_DIR: '/elsewhere/.git',
    GIT_EDITOR: 'vi',
  })
})

test('inherit cannot name what is reserved', () => {
  const turn = () => start('unused', { reserve: ['HARNESS_*'], inherit: ['HARNESS_PLACE'] })
  expect(turn).toThrow('inherit can never pass on "HARNESS_PLACE".')
})

test.each([
  ['another value than the launch sets is refused', 'http://elsewhere/', 'environment_key_refused'],
  ['the same value is no contradiction', 'http://127.0.0.1:9/', undefined],
])('inherit: %s', async (_, value, code) => {
  const turn = start(shell(echo(...goodTurn)), {
    endpoint: { url: 'http://127.0.0.1:9/' },
    environment: { PATH: process.env.PATH, TINY_URL: value },
    inherit: ['TINY_URL'],
  })
  const { error } = await turn.completion
  expect(error?.code).toBe(code)
  expect(error?.message ?? '"TINY_URL"').toContain('"TINY_URL"')
})
