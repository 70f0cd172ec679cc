import { expect, test } from 'vitest'
import { explainComposition } from '../../src/env/explain.ts'

test('a dry run says what a composition would refuse, instead of throwing', () => {
  expect(
    explainComposition({
      environment: { PATH: '/bin', GH_TOKEN: 'x', CLAUDECODE: '1' },
      scope: { SECRET_A: 'a', HOME: '/elsewhere' },
      inherit: ['GH_TOKEN', 'COXSWAIN_TURN', 'GONE'],
    }),
  ).toEqual({
    entries: [
      { name: 'PATH', fate: 'kept', rule: 'ordinary' },
      { name: 'GH_TOKEN', fate: 'kept', rule: 'inherit' },
      { name: 'CLAUDECODE', fate: 'dropped', rule: 'agent' },
      { name: 'GONE', fate: 'absent', rule: 'absent' },
      { name: 'SECRET_A', fate: 'granted', rule: 'granted' },
      { name: 'HOME', fate: 'refused', rule: 'not_scoped' },
      { name: 'COXSWAIN_TURN', fate: 'refused', rule: 'not_inheritable' },
    ],
    credentials: { sets: [], outranked: [], names: [], billing: undefined, signIn: true },
    rules: {
      ordinary: 'Nothing speaks against it.',
      inherit: 'Named in `inherit`.',
      agent: "An enclosing agent's marker or setting.",
      absent: 'Named, but the base environment has no such variable.',
      granted: 'Granted by `scope`.',
      not_scoped: 'No name that a scope can grant: SECRET_*, VAR_* and the MCP session routes are.',
      not_inheritable: 'No name that `inherit` can pass on.',
    },
  })
})
