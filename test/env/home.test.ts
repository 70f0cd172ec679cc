import { describe, expect, test } from 'vitest'
import { type HomeRequest, planHome, resolveStateDirectory } from '../../src/env/home.ts'

const request: HomeRequest = {
  layout: {
    variable: 'CODEX_HOME',
    userDirectory: '.codex',
    signIn: ['auth.json'],
    conversations: ['sessions', 'archived/sessions'],
  },
  adapter: 'codex-cli',
  id: 'turn-1',
  environment: {},
  userHome: '/home/u',
  stateDirectory: '/home/u/.local/state',
  signIn: true,
}

const homes = '/home/u/.local/state/coxswain/homes/codex-cli'
const archive = '/home/u/.local/state/coxswain/conversations/codex-cli'

test('a private home is a directory of its own, linked to the sign-in and to the conversations', () => {
  expect(planHome(request)).toEqual({
    directory: `${homes}/turn-1`,
    userDirectory: '/home/u/.codex',
    directories: [
      '/home/u/.local/state/coxswain',
      '/home/u/.local/state/coxswain/homes',
      homes,
      `${homes}/turn-1`,
      '/home/u/.local/state/coxswain/conversations',
      archive,
      `${archive}/sessions`,
      `${archive}/archived/sessions`,
      `${homes}/turn-1/archived`,
    ],
    absent: [],
    links: [
      { path: `${homes}/turn-1/auth.json`, target: '/home/u/.codex/auth.json', kind: 'sign-in' },
      { path: `${homes}/turn-1/sessions`, target: `${archive}/sessions`, kind: 'conversations' },
      {
        path: `${homes}/turn-1/archived/sessions`,
        target: `${archive}/archived/sessions`,
        kind: 'conversations',
      },
    ],
    environment: { CODEX_HOME: `${homes}/turn-1` },
    remove: [`${homes}/turn-1`],
    homes,
  })
})

test('a private home without the right to the sign-in has no link to it', () => {
  const { links } = planHome({ ...request, signIn: false })
  expect(links.map((link) => link.kind)).toEqual(['conversations', 'conversations'])
})

test('where no variable moves the configuration, none is set', () => {
  const plan = planHome({ ...request, layout: { ...request.layout, variable: '', signIn: [] } })
  expect([plan.environment, plan.directory]).toEqual([{}, `${homes}/turn-1`])
})

test('a CLI that the user has moved is found by its own variable', () => {
  const moved = planHome({ ...request, environment: { CODEX_HOME: '/data/codex' } })
  expect(moved.userDirectory).toBe('/data/codex')
  expect(moved.links[0]?.target).toBe('/data/codex/auth.json')
  expect(planHome({ ...request, environment: { CODEX_HOME: 'relative' } }).userDirectory).toBe(
    '/home/u/.codex',
  )
  expect(planHome({ ...request, environment: { CODEX_HOME: ' ' } }).userDirectory).toBe('/home/u/.codex')
})

test("the user's own home is used as it is, moved or not", () => {
  const plan = { directories: [], absent: [], links: [], remove: [], directory: undefined, homes }
  expect(planHome({ ...request, home: 'user' })).toEqual({
    ...plan,
    userDirectory: '/home/u/.codex',
    environment: {},
  })
  expect(planHome({ ...request, home: 'user', environment: { CODEX_HOME: '/data/codex' } })).toEqual({
    ...plan,
    userDirectory: '/data/codex',
    environment: { CODEX_HOME: '/data/codex' },
  })
})

describe('a directory of the caller', () => {
  test('is linked, and stays', () => {
    const plan = planHome({ ...request, home: { directory: '/srv/home' } })
    expect(plan.directory).toBe('/srv/home')
    expect(plan.environment).toEqual({ CODEX_HOME: '/srv/home' })
    expect(plan.remove).toEqual([])
    expect(plan.directories[0]).toBe('/srv/home')
    expect(plan.links[0]).toEqual({
      path: '/srv/home/auth.json',
      target: '/home/u/.codex/auth.json',
      kind: 'sign-in',
    })
  })

  test('must not hold a sign-in that the child has no right to', () => {
    const plan = planHome({ ...request, home: { directory: '/srv/home' }, signIn: false })
    expect(plan.absent).toEqual(['/srv/home/auth.json'])
    expect(plan.links.map((link) => link.kind)).toEqual(['conversations', 'conversations'])
  })
})

describe('conversations', () => {
  test('that are discarded stay in the home and go with it', () => {
    const plan = planHome({ ...request, conversations: 'discard' })
    expect(plan.links.map((link) => link.kind)).toEqual(['sign-in'])
    expect(plan.directories.some((path) => path.includes('conversations'))).toBe(false)
  })

  test('go to a folder of the caller, one below it per adapter', () => {
    const plan = planHome({ ...request, conversations: { directory: '/data/talks' } })
    expect(plan.links[1]).toEqual({
      path: `${homes}/turn-1/sessions`,
      target: '/data/talks/codex-cli/sessions',
      kind: 'conversations',
    })
    expect(plan.directories).toContain('/data/talks/codex-cli/sessions')
  })
})

describe('what a home cannot give is refused', () => {
  const rows: [message: string, options: Partial<HomeRequest>][] = [
    ["home 'user' cannot be combined with an endpoint.", { home: 'user', hasEndpoint: true }],
    [
      "home 'user' cannot be combined with conversations of its own.",
      { home: 'user', conversations: 'discard' },
    ],
    [
      "home 'user' cannot be combined with conversations of its own.",
      { home: 'user', conversations: { directory: '/data' } },
    ],
    [
      "conversations 'discard' needs home 'private'.",
      { home: { directory: '/srv/home' }, conversations: 'discard' },
    ],
    ['home.directory must be an absolute path, not "here".', { home: { directory: 'here' } }],
    [
      'conversations.directory must be an absolute path, not "here".',
      { conversations: { directory: 'here' } },
    ],
  ]
  test.each(rows)('%s', (message, options) => {
    expect(() => planHome({ ...request, ...options })).toThrow(
      expect.objectContaining({ code: 'invalid_options', message }),
    )
  })
})

describe('the state directory', () => {
  const temporaryDirectories = ['/tmp', '/private/var/folders/x/']
  const rows: [title: string, environment: Record<string, string>, userHome: string, directory: string][] = [
    ['is ~/.local/state', {}, '/home/u', '/home/u/.local/state'],
    ['is XDG_STATE_HOME', { XDG_STATE_HOME: '/state' }, '/home/u', '/state'],
    ['is not a relative XDG_STATE_HOME', { XDG_STATE_HOME: 'state' }, '/home/u', '/home/u/.local/state'],
    ['is not an empty XDG_STATE_HOME', { XDG_STATE_HOME: '' }, '/home/u', '/home/u/.local/state'],
    [
      'is never below the temporary directory',
      { XDG_STATE_HOME: '/tmp/state' },
      '/home/u',
      '/home/u/.local/state',
    ],
    ["is the account's for a HOME that lies there", {}, '/tmp/home', '/home/account/.local/state'],
    ['can have a name that begins like it', { XDG_STATE_HOME: '/tmporary' }, '/home/u', '/tmporary'],
    ['is not hidden by dots', { XDG_STATE_HOME: '/srv/../tmp/a' }, '/home/u', '/home/u/.local/state'],
    [
      'is not below a second one',
      { XDG_STATE_HOME: '/private/var/folders/x/y' },
      '/home/u',
      '/home/u/.local/state',
    ],
  ]
  test.each(rows)('%s', (_title, environment, userHome, directory) => {
    expect(
      resolveStateDirectory({ environment, userHome, accountHome: '/home/account', temporaryDirectories }),
    ).toBe(directory)
  })

  test('that could only be temporary is refused', () => {
    expect(() =>
      resolveStateDirectory({
        environment: {},
        userHome: '/tmp/home',
        accountHome: undefined,
        temporaryDirectories,
      }),
    ).toThrow('The state directory would lie below the temporary directory: /tmp/home/.local/state.')
  })
})
