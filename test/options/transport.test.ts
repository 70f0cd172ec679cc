import { describe, expect, test } from 'vitest'
import { resolveTransport } from '../../src/index.ts'

describe('resolveTransport', () => {
  test.each(['claude-code', 'codex-cli', 'cursor-cli', 'pi-cli'])('%s: auto means structured', (adapter) => {
    expect(resolveTransport(adapter, { transport: 'auto' })).toEqual({
      transport: 'structured',
      reason: `${adapter} is driven over its one-shot structured protocol: this version of coxswain has no other.`,
    })
  })

  test('what was asked for is what it is', () => {
    expect(resolveTransport('pi-cli', { transport: 'structured' }, '1.6.0')).toEqual({
      transport: 'structured',
      reason: 'It was asked for.',
    })
  })

  test.each([
    [{ transport: 'live' }, "transport: 'live'"],
    [{ transport: 'tmux' }, "transport: 'tmux'"],
    [{ liveInput: 'required' }, "liveInput: 'required'"],
    [{ approvals: 'host' }, "approvals: 'host'"],
    [{ approvals: () => 'allow' }, 'approvals as a callback'],
  ] as const)('%o is refused by name', (options, name) => {
    expect(() => resolveTransport('codex-cli', options)).toThrowError(
      expect.objectContaining({ code: 'unsupported', message: expect.stringContaining(name) }),
    )
  })

  test('an unknown adapter is refused with the known ones', () => {
    expect(() => resolveTransport('gemini-cli')).toThrowError(/claude-code, codex-cli, cursor-cli, pi-cli/)
  })
})
