import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { planHome } from '../../src/env/home.ts'
import { prepareHome } from '../../src/run/home-files.ts'
import { claimHome, removeAbandonedHomes } from '../../src/run/home-owners.ts'
import { discardsOver } from '../../src/run/home-removal.ts'
import { scratchFile } from './probe.ts'

/** A user with a sign-in, and a plan for one turn of his. */
function user(request: Partial<Parameters<typeof planHome>[0]> = {}) {
  const userHome = scratchFile('user')
  mkdirSync(join(userHome, '.tiny'), { recursive: true })
  writeFileSync(join(userHome, '.tiny/key'), 'refresh-1')
  const plan = planHome({
    layout: {
      variable: 'TINY_HOME',
      userDirectory: '.tiny',
      signIn: ['key', 'other'],
      conversations: ['talks'],
    },
    adapter: 'tiny-cli',
    id: 'turn-1',
    environment: {},
    userHome,
    stateDirectory: join(userHome, 'state'),
    signIn: true,
    ...request,
  })
  return { userHome, plan, key: join(userHome, '.tiny/key') }
}

const mode = (path: string) => statSync(path).mode & 0o777

test('a private home is 0700, its files 0600, the sign-in and the conversations are links', () => {
  const { plan, key, userHome } = user()
  const home = prepareHome(plan, 'turn-1')
  home.write([{ path: 'deep/config.toml', content: 'a = 1' }])
  expect(home.directory).toBe(join(userHome, 'state/coxswain/homes/tiny-cli/turn-1'))
  expect([mode(home.directory), mode(join(home.directory, 'deep')), mode(plan.homes)]).toEqual([
    0o700, 0o700, 0o700,
  ])
  expect(mode(join(home.directory, 'deep/config.toml'))).toBe(0o600)
  expect(readlinkSync(join(home.directory, 'key'))).toBe(key)
  expect(existsSync(join(home.directory, 'other'))).toBe(false)
  expect(home.hasSignIn).toBe(true)
  writeFileSync(join(home.directory, 'talks/one'), 'kept')
  home.remove()
  expect(existsSync(home.directory)).toBe(false)
  expect(readFileSync(join(userHome, 'state/coxswain/conversations/tiny-cli/talks/one'), 'utf8')).toBe('kept')
  expect(readFileSync(key, 'utf8')).toBe('refresh-1')
})

test('nothing of a removed home is left', async () => {
  const { plan } = user()
  const home = prepareHome(plan, 'turn-1')
  home.write([{ path: 'a/b', content: '' }])
  home.remove()
  await discardsOver()
  expect(readdirSync(plan.homes)).toEqual(['.removed'])
  expect(readdirSync(join(plan.homes, '.removed'))).toEqual([])
})

test("a sign-in that the CLI put in the link's place is the user's from then on", () => {
  const { plan, key } = user()
  const home = prepareHome(plan, 'turn-1')
  unlinkSync(join(home.directory, 'key'))
  writeFileSync(join(home.directory, 'key'), 'refresh-2')
  home.remove()
  expect(readFileSync(key, 'utf8')).toBe('refresh-2')
  expect(mode(key)).toBe(0o600)
})

test('nor is it lost where the process died, unless the user has signed in since', async () => {
  const dead = (changes: object = {}) => {
    const { plan, key } = user()
    const home = prepareHome(plan, 'turn-1')
    unlinkSync(join(home.directory, 'key'))
    writeFileSync(join(home.directory, 'key'), 'refresh-2')
    const file = join(plan.homes, 'turn-1.owner.json')
    const owner = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...owner, startTime: 1, ...changes }))
    return { homes: plan.homes, key }
  }
  const sweep = (homes: string) => removeAbandonedHomes(`${homes}/.`) // this process has swept `homes` already
  const first = dead()
  await sweep(first.homes)
  expect(readFileSync(first.key, 'utf8')).toBe('refresh-2')
  expect(existsSync(join(first.homes, 'turn-1'))).toBe(false)
  const second = dead()
  writeFileSync(second.key, 'signed in anew')
  utimesSync(second.key, new Date(), new Date(Date.now() + 60_000))
  await sweep(second.homes)
  expect(readFileSync(second.key, 'utf8')).toBe('signed in anew')
  const strange = dead({ signIns: [{ path: 1 }, 'x'] })
  await sweep(strange.homes)
  expect(existsSync(join(strange.homes, 'turn-1'))).toBe(false)
})

test('without a sign-in to link there is none', () => {
  const { plan } = user({ signIn: false })
  const home = prepareHome(plan, 'turn-1')
  expect(home.hasSignIn).toBe(false)
  expect(existsSync(join(home.directory, 'key'))).toBe(false)
  home.remove()
})

test("a home of the caller's own stays, with its sign-in, which is not carried to the user", () => {
  const directory = scratchFile('own')
  mkdirSync(directory)
  writeFileSync(join(directory, 'key'), 'of its own')
  const { plan, key } = user({ home: { directory } })
  const home = prepareHome(plan, 'turn-1')
  expect(home.directory).toBe(directory)
  home.remove()
  expect(readFileSync(join(directory, 'key'), 'utf8')).toBe('of its own')
  expect(readFileSync(key, 'utf8')).toBe('refresh-1')
  expect(existsSync(plan.homes)).toBe(false)
})

test('a sign-in that must not reach the child: a link goes, a file ends the turn', () => {
  const directory = scratchFile('own')
  mkdirSync(directory)
  symlinkSync('/nowhere', join(directory, 'key'))
  const { plan } = user({ home: { directory }, signIn: false })
  prepareHome(plan, 'turn-1')
  expect(() => lstatSync(join(directory, 'key'))).toThrow('ENOENT')
  writeFileSync(join(directory, 'key'), 'of its own')
  expect(() => prepareHome(plan, 'turn-2')).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining('holds a sign-in') }),
  )
})

test("with the user's own home a turn has a directory for its files, and takes it away", () => {
  const { plan } = user({ home: 'user' })
  const home = prepareHome(plan, 'turn-1')
  home.write([{ path: 'settings.json', content: '{}' }])
  expect(mode(home.directory)).toBe(0o700)
  home.remove()
  expect(existsSync(home.directory)).toBe(false)
})

test('a home that cannot be made is one clear error, and nothing is left', () => {
  const { plan, userHome } = user()
  writeFileSync(join(userHome, 'state'), 'a file in the way')
  expect(() => prepareHome(plan, 'turn-1')).toThrow(
    expect.objectContaining({
      code: 'spawn_failed',
      message: expect.stringContaining('could not be prepared'),
    }),
  )
})

test('what a dead process left is removed at the next start; what a live one or a stranger has stays', async () => {
  const homes = scratchFile('homes')
  const owner = (id: string, changes: object) => {
    mkdirSync(join(homes, id), { recursive: true })
    const claim = claimHome(homes, id)
    const file = join(homes, `${id}.owner.json`)
    const written = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...written, ...changes }))
    return claim
  }
  mkdirSync(join(homes, 'nobody-knows'), { recursive: true })
  mkdirSync(join(homes, '.removed/half-gone/deep'), { recursive: true })
  owner('mine', {})
  owner('dead', { pid: 2 ** 22 + 1 })
  owner('recycled', { startTime: 1 })
  owner('rebooted', { boot: 'another' })
  owner('elsewhere', { place: 'another container', pid: 2 ** 22 + 1 })
  await removeAbandonedHomes(homes)
  expect(readdirSync(homes).sort()).toEqual([
    '.removed',
    'elsewhere',
    'elsewhere.owner.json',
    'mine',
    'mine.owner.json',
    'nobody-knows',
  ])
  expect(readdirSync(join(homes, '.removed'))).toEqual([])
  rmSync(homes, { recursive: true })
})

test.each([
  [
    'a state directory where nothing can be made',
    () => user({ stateDirectory: '/proc/1/state' }).plan,
    { code: 'spawn_failed', hint: 'Check that its directory can be written, or set XDG_STATE_HOME.' },
  ],
  [
    'conversations in a file',
    () => {
      const directory = scratchFile('talks')
      writeFileSync(directory, '')
      return user({ conversations: { directory } }).plan
    },
    {
      code: 'spawn_failed',
      message: expect.stringMatching(/^The conversations cannot be kept in .*talks.*: E/),
      hint: 'Give another directory as `conversations.directory`, one that can be written.',
    },
  ],
  [
    "a home of the caller's that is a file",
    () => {
      const directory = scratchFile('home')
      writeFileSync(directory, '')
      return user({ home: { directory } }).plan
    },
    {
      code: 'spawn_failed',
      hint: 'Give another directory as `home.directory`, one that can be written.',
    },
  ],
])('%s ends a turn at once, with what to do about that', (_, plan, error) => {
  const planned = plan()
  expect(() => prepareHome(planned, 'turn-1')).toThrow(expect.objectContaining(error))
})
