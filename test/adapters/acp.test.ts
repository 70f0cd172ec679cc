import { expect, test } from 'vitest'
import { acpAgent, explainEnvironment, resolveTransport } from '../../src/index.ts'
import { checkContract, checkLaunch } from '../../src/testing/conformance/contract.ts'
import { plainLiveLaunch } from './launching.ts'

const agent = acpAgent({
  id: 'some-agent',
  command: ['/opt/agent', 'acp'],
  environment: { AGENT_QUIET: '1' },
  credentials: [{ name: 'key', variables: ['AGENT_API_KEY'], billing: 'api' }],
  modes: { deny: 'ask', 'approve-all': 'yolo' },
})

test('it has the live transport alone', () => {
  expect(resolveTransport(agent)).toEqual({ transport: 'live', reason: 'some-agent has no other.' })
})

test('what was asked for goes into the opening, the flags of the caller behind the command', () => {
  const options = { ...plainLiveLaunch, arguments: ['--loud'] }
  const context = {
    version: 'unknown',
    home: '/h',
    directory: '/h',
    platform: 'linux',
    isRoot: false,
  } as const
  const launch = (approvals: 'deny' | 'host') =>
    agent.live?.launch({ ...options, arguments: ['--loud'], approvals }, context)
  expect(launch('deny')).toEqual({
    arguments: ['--loud'],
    environment: { AGENT_QUIET: '1' },
    files: [],
    firstSignal: 'SIGTERM',
    opening: { approvals: 'deny', mode: 'ask', mcpServers: [] },
  })
  expect(launch('host')?.opening).toEqual({ approvals: 'host', mode: undefined, mcpServers: [] })
  expect(agent.command).toEqual(['/opt/agent', 'acp'])
})

test('its variables and its own credential reach it, and no other', () => {
  const environment = { HOME: '/home/u', PATH: '/bin', AGENT_API_KEY: 'k', OPENAI_API_KEY: 'k' }
  const { entries } = explainEnvironment({ adapter: agent, environment })
  const fates = Object.fromEntries(entries.map(({ name, fate }) => [name, fate]))
  expect(fates).toMatchObject({ AGENT_QUIET: 'set', OPENAI_API_KEY: 'dropped' })
  expect(fates.AGENT_API_KEY).not.toBe('dropped')
})

test.each([
  [
    "approvals 'auto' without a mode for it",
    { approvals: 'auto' },
    "some-agent does not support approvals: 'auto'.",
  ],
  [
    "projectConfiguration: 'ignore'",
    { projectConfiguration: 'ignore' },
    'some-agent does not support projectConfiguration',
  ],
  ['the other transport', { transport: 'structured' }, 'some-agent has no one-shot protocol.'],
] as const)('%s is refused', (_, options, message) => {
  expect(() => explainEnvironment({ adapter: agent, ...options })).toThrow(message)
})

test('it keeps the contract of an adapter', () => {
  checkContract(agent)
  checkLaunch(agent)
})
