import { describe, expect, it, test } from 'vitest'
import { type AgentError, defineAdapter, isAgentError, resolveProfile } from '../../src/index.ts'
import { tinyLiveCli } from '../tiny-live-cli.ts'

const live = tinyLiveCli('able')
const able = defineAdapter({
  ...live,
  capabilities: {
    ...live.capabilities,
    approvals: ['deny', 'approve-all'],
    mcpServers: ['http'],
    toolModes: ['native', 'hybrid', 'mcp_only'],
    nativeShell: ['deny', 'approve-all'],
    systemPrompt: { append: true, replace: true },
  },
})

/** Nothing is wrong with it, and nearly every rule looks at it. */
const sound = {
  transport: 'auto',
  liveInput: 'optional',
  agentTools: { mode: 'hybrid' },
  apiTransport: { mode: 'native_shell' },
  approvals: 'deny',
  tools: { enabled: ['look', 'buy', 'sell', 'wait'], additionalBridge: ['mend'] },
  systemPrompt: { append: 'Call $MCP_CUSTOM.' },
}

interface Fault {
  path: string
  value: unknown
  /** Where the issue is told, where that is another place. */
  told?: string
  fix: string
  /** What must not be wrong beside it: without that, nobody could tell. */
  needs?: string[]
}

const correct = 'Correct it, or leave it out.'
const faults: Fault[] = [
  { path: 'transport', value: 'pigeon', fix: correct },
  { path: 'liveInput', value: 7, fix: correct },
  { path: 'agentTools.mode', value: 'both', fix: correct },
  { path: 'agentTools.modes', value: 'hybrid', fix: 'Did you mean mode?' },
  { path: 'apiTransport.mode', value: null, fix: correct },
  { path: 'apiTransport.port', value: 80, fix: 'Take it out.' },
  { path: 'approvals', value: 'yes', fix: correct },
  { path: 'approvals', value: 'auto', fix: 'Use what it supports, or another CLI.' },
  { path: 'tools.enabled.1', value: 7, fix: correct },
  { path: 'tools.enabled.2', value: ' ', fix: 'Take the entry out.' },
  { path: 'tools.enabled.3', value: 'look', fix: 'Name it once.' },
  { path: 'tools.additionalBridge.0', value: 'look', fix: 'Name it once.' },
  { path: 'tools.additionalBridge', value: 'mend', fix: correct },
  { path: 'tools.enable', value: [], fix: 'Did you mean enabled?' },
  {
    path: 'tools.enabled.3',
    value: 'execute_shell_command',
    fix: "Take the tool out, or use apiTransport.mode 'bridge_shell'.",
    needs: ['apiTransport.mode'],
  },
  { path: 'systemPrompt.append', value: 7, fix: correct },
  { path: 'systemPrompt.replace', value: '', fix: correct },
  { path: 'systemPrompt.repalce', value: 'x', fix: 'Did you mean replace?' },
  {
    path: 'systemPrompt',
    value: 'Be brief.',
    fix: 'Say in it how to call $MCP_CUSTOM (or MCP_API_URL, MCP_MCP, MCP_VIRTUAL) with $MCP_AUTH.',
    needs: ['apiTransport.mode'],
  },
  { path: 'systemPrompt', value: 7, fix: correct },
  { path: 'colour', value: 'blue', fix: 'Take it out.' },
]

function withFault(profile: object, { path, value }: Fault): object {
  const copy: object = structuredClone(profile)
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  const holder = keys.reduce<object>((at, key) => Reflect.get(at, key), copy)
  Reflect.set(holder, last, value)
  return copy
}

function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`)
}

function areIndependent(one: Fault, other: Fault): boolean {
  const of = ({ path, needs = [] }: Fault) => [path, ...needs]
  return ![...of(one)].some((path) => of(other).some((each) => overlap(path, each)))
}

function refusalOf(profile: unknown): AgentError {
  try {
    resolveProfile(profile as object, able)
  } catch (error) {
    if (isAgentError(error)) return error
    throw error
  }
  throw new Error('It was not refused.')
}

const said = (error: AgentError) => error.issues?.map(({ path, fix }) => `${path}: ${fix}`).sort()

test('the profile with which they are tried is sound', () => {
  expect(() => resolveProfile(sound as object, able)).not.toThrow()
})

test.each(faults)('$path: $value is told, and nothing else', (fault) => {
  expect(said(refusalOf(withFault(sound, fault)))).toEqual([`${fault.path}: ${fault.fix}`])
})

const pairs = faults.flatMap((one, index) =>
  faults.slice(index + 1).flatMap((other) => (areIndependent(one, other) ? [[one, other] as const] : [])),
)

test('of any two independent faults both are told, each at its place, and nothing else', () => {
  expect(pairs.length).toBeGreaterThan(150)
  const wrong = pairs.filter(([one, other]) => {
    const expected = [one, other].map(({ path, fix }) => `${path}: ${fix}`).sort()
    return (
      JSON.stringify(said(refusalOf(withFault(withFault(sound, one), other)))) !== JSON.stringify(expected)
    )
  })
  expect(wrong).toEqual([])
})

class Profile {
  transport = 'auto'
}

describe('what is no plain data is one clear issue', () => {
  const throwing = {
    get transport() {
      throw new Error('boom')
    },
  }
  const circular: Record<string, unknown> = { tools: {} }
  circular.systemPrompt = circular
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  const rows: [string, unknown, string, RegExp][] = [
    ['a Map', new Map([['transport', 'live']]), '', /^The profile is an instance of a class/],
    ['a Date', new Date(), '', /^The profile is an instance of a class/],
    ['an instance of a class', new Profile(), '', /^The profile is an instance of a class/],
    ['a list', [], '', /expected a profile/],
    ['nothing', undefined, '', /expected a profile/],
    ['a function', () => {}, '', /expected a profile/],
    ['a proxy that is over', revoked.proxy, '', /^The profile cannot be read/],
    ['a Map inside', { tools: new Map() }, 'tools', /^tools is an instance of a class/],
    [
      'a getter that throws',
      throwing,
      'transport',
      /^transport cannot be read: a getter or a proxy there throws/,
    ],
    ['a circle', circular, 'systemPrompt', /^systemPrompt contains itself/],
    [
      'a list with holes',
      { tools: { enabled: new Array(3) } },
      'tools.enabled',
      /^tools\.enabled is a list with holes/,
    ],
  ]
  it.each(rows)('%s', (_title, profile, path, message) => {
    const { issues = [] } = refusalOf(profile)
    expect(issues.map((issue) => issue.path)).toEqual([path])
    expect(issues[0]?.message).toMatch(message)
    expect(issues[0]?.fix).toMatch(/^\S.*\.$/)
  })

  it('beside what else is wrong', () => {
    const profile = { ...sound, transport: new Map(), approvals: 'yes', tools: { enabled: ['look', ' '] } }
    expect(refusalOf(profile).issues?.map(({ path }) => path)).toEqual([
      'transport',
      'approvals',
      'tools.enabled.1',
    ])
  })

  it('approvals that nobody can read hide nothing that stands without them', () => {
    const profile = {
      approvals: 'yes',
      agentTools: { mode: 'mcp_only' },
      apiTransport: { mode: 'native_shell' },
      systemPrompt: 'Call $MCP_CUSTOM with $MCP_AUTH.',
    }
    expect(refusalOf(profile).issues?.map(({ path }) => path)).toEqual(['approvals', 'apiTransport.mode'])
  })

  it('a getter is asked once', () => {
    let asked = 0
    const profile = {
      get transport() {
        asked += 1
        return asked === 1 ? 'structured' : 'tmux'
      },
    }
    expect(resolveProfile(profile as object, able)).toMatchObject({ transport: 'structured' })
  })
})

describe('an adapter that there is not is one problem among all others', () => {
  const id = 'codex'
  const unknown = { path: 'adapter', fix: "Did you mean 'codex-cli'?" }
  const rows: [string, unknown, object[]][] = [
    ['alone', {}, [unknown]],
    ['beside no profile at all', null, [unknown, { path: '', fix: correct }]],
    [
      'beside what is wrong in the profile itself',
      { transport: 'pigeon', tools: { enabled: ['look', 'look'] } },
      [unknown, { path: 'transport', fix: correct }, { path: 'tools.enabled.1', fix: 'Name it once.' }],
    ],
    ['and what only an adapter could refuse is not guessed at', { transport: 'live' }, [unknown]],
  ]

  it.each(rows)('%s', (_, profile, issues) => {
    expect(() => Reflect.apply(resolveProfile, undefined, [profile, id])).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        issues: issues.map((issue) => expect.objectContaining(issue)),
      }),
    )
  })

  it.each([undefined, 5, { contract: 1 }])('%j is none', (adapter) => {
    expect(() => Reflect.apply(resolveProfile, undefined, [{}, adapter])).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path: 'adapter' })] }),
    )
  })
})
