import { expect, test } from 'vitest'
import { defineAdapter, explainEnvironment } from '../../src/index.ts'
import { tinyLiveCli } from '../tiny-live-cli.ts'

const { live, structured, ...rest } = tinyLiveCli()
if (!live) throw new Error('It speaks two protocols.')
const adapter = defineAdapter({
  ...rest,
  structured: {
    ...structured,
    launch: (options, context) => ({
      ...structured.launch(options, context),
      environment: { ONE_SHOT: '1' },
    }),
  },
  live: {
    ...live,
    launch: (options, context) => ({
      ...live.launch(options, context),
      environment: { LISTENS: '1', ASKS: options.approvals },
    }),
  },
})

test.each([
  ['auto', {}, ['ONE_SHOT']],
  ['live', { transport: 'live' }, ['ASKS', 'LISTENS']],
  ['auto, with somebody to ask', { approvals: 'host' }, ['ASKS', 'LISTENS']],
] as const)('tells what the launch of the transport sets that would be used: %s', (_, options, names) => {
  const { entries } = explainEnvironment({ adapter, environment: { PATH: '/bin' }, ...options })
  const set = entries.filter(({ fate }) => fate === 'set').map(({ name }) => name)
  expect(set.filter((name) => /^(?:ONE_SHOT|LISTENS|ASKS)$/.test(name)).sort()).toEqual(names)
})
