import { expect, test } from 'vitest'
import { grantEnvironment } from '../../src/env/grant.ts'
import { checkTurnOptions } from '../../src/options/check.ts'

const fault = (options: object) => {
  try {
    grantEnvironment(checkTurnOptions({ adapter: 'claude-code', prompt: 'hello', ...options }).scope)
  } catch (error) {
    return error
  }
  return undefined
}

/** With a property of that name of its own, as JSON.parse makes it. */
const hiding = (value: string) => JSON.parse(`{ "VAR_A": "1", "__proto__": ${value} }`)

test('a scope that names __proto__ is refused by that name', () => {
  expect(fault({ scope: hiding('"x"') })).toMatchObject({
    code: 'environment_key_refused',
    message: 'scope cannot grant "__proto__".',
  })
})

test.each([
  ['configuration', { configuration: hiding('"x"') }, 'configuration.__proto__'],
  [
    'a table of the configuration',
    { configuration: { a: { b: hiding('{}') } } },
    'configuration.a.b.__proto__',
  ],
  ['headers', { endpoint: { url: 'http://h', headers: hiding('"x"') } }, 'endpoint.headers.__proto__'],
  ['values of credentials', { credentials: { values: hiding('"x"') } }, 'credentials.values.__proto__'],
  ['servers', { mcpServers: hiding('{}') }, 'mcpServers.__proto__'],
])('%s that name __proto__ are refused by that name', (_, options, path) => {
  expect(fault(options)).toMatchObject({
    code: 'invalid_options',
    message: `The option \`${path}\` is wrong: this can be no name.`,
  })
})

test('a configuration that runs in a circle is looked at once', () => {
  const configuration: Record<string, unknown> = {}
  configuration.self = configuration
  expect(fault({ configuration })).toMatchObject({ code: 'invalid_options' })
})

const long = 'N'.repeat(1_000_000)

test.each([
  ['a refused name of the scope', { scope: { [long]: 'x' } }],
  ['an unknown option', { [long]: 'x' }],
  ['an unknown adapter', { adapter: long }],
  ['a wrong value under a name', { scope: { [`VAR_${long}`]: 1 } }],
])('%s of a megabyte is repeated in short', (_, options) => {
  const { message } = fault(options) as Error
  expect(message).toContain(`${'N'.repeat(50)}`)
  expect(message).toMatch(/… \(100000\d characters\)/)
  expect(message.length).toBeLessThan(300)
})
