import { expect, test } from 'vitest'
import { deriveBridgeVariables, isScopedEnvironmentKey } from '../../src/env.ts'

const whole = {
  MCP_API_URL: 'http://127.0.0.1:8080/api/s/session',
  MCP_MCP: 'http://127.0.0.1:8080/api/s/session/tools/mcp',
  MCP_CUSTOM: 'http://127.0.0.1:8080/api/s/session/tools/custom',
  MCP_VIRTUAL: 'http://127.0.0.1:8080/api/s/session/tools/virtual',
  MCP_API_TOKEN: 'token',
  MCP_AUTH: 'Authorization: Bearer token',
  MCP_SESSION_ID: 'session',
}

test('the seven variables, with slashes at the end of the address left out', () => {
  const variables = deriveBridgeVariables({
    url: 'http://127.0.0.1:8080/api//',
    token: 'token',
    sessionId: 'session',
  })
  expect(variables).toEqual(whole)
})

test("the session's own address is taken as it is, and a session's name cannot leave its place", () => {
  const url = (from: string, sessionId: string) =>
    deriveBridgeVariables({ url: from, token: 't', sessionId }).MCP_API_URL
  expect(url('http://h/s/session/', 'session')).toBe('http://h/s/session')
  expect(url('http://h', 'a/../b')).toBe('http://h/s/a%2F..%2Fb')
})

test('every one of them can be granted', () => {
  expect(Object.keys(whole).filter((name) => !isScopedEnvironmentKey(name))).toEqual([])
})

test('without an address there are no routes, without a token no header', () => {
  expect(deriveBridgeVariables({ url: '', token: 'token', sessionId: 'session' })).toEqual({
    MCP_API_TOKEN: 'token',
    MCP_AUTH: 'Authorization: Bearer token',
    MCP_SESSION_ID: 'session',
  })
  expect(deriveBridgeVariables({ url: 'http://h', token: ' ', sessionId: '' })).toEqual({
    MCP_API_URL: 'http://h',
    MCP_MCP: 'http://h/tools/mcp',
    MCP_CUSTOM: 'http://h/tools/custom',
    MCP_VIRTUAL: 'http://h/tools/virtual',
  })
})

test('a token with a line break is refused: it would add a header', () => {
  expect(() => deriveBridgeVariables({ url: 'http://h', token: 'a\r\nX-Admin: 1', sessionId: 's' })).toThrow(
    'single line',
  )
})

test.each([
  ['ftp://h', 's'],
  ['http://h?x=1', 's'],
  ['http://u:p@h', 's'],
  ['hello world', 's'],
  ['http://h', '..'],
])('an address that leads elsewhere is refused: %s, %s', (url, sessionId) => {
  expect(() => deriveBridgeVariables({ url, token: 't', sessionId })).toThrowError(
    expect.objectContaining({ code: 'invalid_options' }),
  )
})
