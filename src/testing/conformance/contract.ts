import { deepStrictEqual, ok } from 'node:assert/strict'
import { isAbsolute, normalize } from 'node:path'
import type { Adapter, Launch, LaunchContext } from '../../adapters/adapter.ts'
import type { LaunchOptions } from '../../adapters/launch-options.ts'
import { isAgentError } from '../../errors.ts'
import { checkTurnOptions } from '../../options/check.ts'
import type { TurnOptions } from '../../options/turn-options.ts'

const promptMark = 'PROMPT_THAT_MUST_NOT_BE_ON_ARGV'
const secretMark = 'SECRET_THAT_MUST_NOT_BE_ON_ARGV'

export function checkContract(adapter: Adapter): void {
  ok(adapter.contract === 1, 'make the adapter with defineAdapter()')
  ok(/^[a-z][a-z0-9-]*$/.test(adapter.id), `the id "${adapter.id}" is not lower-case words joined with "-"`)
  ok(adapter.title !== '' && adapter.install !== '', 'title and install must say something to a person')
  ok(adapter.binary.length > 0 && adapter.binary.every((name) => name !== ''), 'binary names nothing')
  for (const version of [adapter.version.floor, adapter.version.tested]) {
    ok(/^\d+\.\d+/.test(version), `"${version}" is no version`)
  }
  const { reservedArguments, approvals, backgroundTasks } = adapter.capabilities
  ok(approvals.includes('deny'), "approvals must include 'deny', which is the default")
  ok(backgroundTasks.includes('forbid'), "backgroundTasks must include 'forbid', which is the default")
  for (const flag of Object.keys(reservedArguments)) {
    ok(/^-/.test(flag), `the reserved argument "${flag}" is no flag`)
  }
  for (const { name, variables, requires = [] } of adapter.credentials) {
    ok(variables.length > 0, `the credential set "${name}" has no variables`)
    for (const variable of requires) {
      ok(
        variables.includes(variable),
        `the credential set "${name}" requires ${variable}, which is not in it`,
      )
    }
  }
  const wire = adapter.structured.wire()
  ok(wire !== adapter.structured.wire(), 'wire() must give a new wire each time')
}

/** What the adapter's reserved flags and settings say must be refused by the options check. */
export function checkReserved(adapter: Adapter): void {
  for (const [flag, option] of Object.entries(adapter.capabilities.reservedArguments)) {
    for (const flags of [[flag, 'x'], [`${flag}=x`]]) {
      refuses(adapter, { arguments: flags }, option)
    }
  }
  if (!adapter.capabilities.configuration) return
  for (const [path, option] of Object.entries(adapter.capabilities.reservedConfiguration)) {
    const nested = path.split('.').reduceRight<unknown>((value, key) => ({ [key]: value }), 'x')
    refuses(adapter, { configuration: Object(nested) }, option)
  }
}

function refuses(adapter: Adapter, options: Partial<TurnOptions>, option: string): void {
  try {
    checkTurnOptions({ adapter, prompt: 'x', ...options })
  } catch (error) {
    ok(isAgentError(error) && error.code === 'invalid_options', String(error))
    ok(error.message.includes(`\`${option}\``), `"${error.message}" does not name the option ${option}`)
    return
  }
  ok(false, `${JSON.stringify(options)} was not refused`)
}

/** Same input, same output; no prompt and no secret on argv; files inside the home. */
export function checkLaunch(adapter: Adapter): void {
  for (const options of optionSets(adapter)) {
    const { launch: checked } = checkTurnOptions({ adapter, prompt: 'x', ...options })
    for (const context of contexts(adapter, checked)) {
      const first = launchOnce(adapter, checked, context)
      if (!first) continue
      const frozen = deepFreeze(structuredClone(checked))
      const again = withoutEnvironment(() => launchOnce(adapter, frozen, deepFreeze({ ...context })))
      deepStrictEqual(again, first, 'launch() must give the same for the same input, and leave it as it is')
      checkOneLaunch(first, JSON.stringify(options))
    }
  }
}

function checkOneLaunch(launch: Launch, what: string): void {
  const { arguments: argv, environment, files, stdin, firstSignal } = launch
  const visible = [...argv, ...Object.values(environment)].join('\n')
  ok(!visible.includes(promptMark), `${what}: the prompt is on argv or in the environment`)
  ok(!argv.join('\n').includes(secretMark), `${what}: the endpoint's credential is on argv`)
  ok(
    stdin.includes(promptMark) || files.some((file) => file.content.includes(promptMark)),
    `${what}: the prompt is neither on stdin nor in a file`,
  )
  ok(firstSignal === 'SIGINT' || firstSignal === 'SIGTERM', `${what}: firstSignal is ${firstSignal}`)
  for (const { path } of files) {
    ok(
      !isAbsolute(path) && !normalize(path).startsWith('..'),
      `${what}: the file ${path} lies outside of the home`,
    )
  }
}

/** A launch that the version alone rules out is as good as none. */
function launchOnce(adapter: Adapter, options: LaunchOptions, context: LaunchContext): Launch | undefined {
  try {
    return adapter.structured.launch(options, context)
  } catch (error) {
    if (isAgentError(error) && error.code === 'unsupported') return undefined
    throw error
  }
}

function* contexts(adapter: Adapter, { home }: LaunchOptions): Generator<LaunchContext> {
  const directory = '/state/home'
  for (const version of [adapter.version.tested, adapter.version.floor, 'unknown']) {
    for (const platform of ['linux', 'darwin'] as const) {
      yield { version, platform, directory, home: home === 'user' ? undefined : directory, isRoot: false }
    }
  }
}

/** One set for each thing that the adapter says it can do. */
function optionSets(adapter: Adapter): Partial<TurnOptions>[] {
  const { capabilities } = adapter
  const image = { type: 'image' as const, mimeType: 'image/png', data: 'iVBORw0KGgo=' }
  const text = { type: 'text' as const, text: promptMark }
  const sets: Partial<TurnOptions>[] = [
    ...['', '-', '--', '@/etc/passwd ', '/cost ', '!'].map((start) => ({ prompt: `${start}${promptMark}` })),
    { model: 'some-model' },
    { home: 'user' },
    { arguments: ['--some-flag'] },
    ...capabilities.approvals.map((approvals) => ({ approvals })),
    ...capabilities.sandbox.map((sandbox) => ({ sandbox })),
    { sandbox: 'off' },
    { network: true },
    ...(capabilities.network ? [{ network: false }] : []),
    ...(capabilities.systemPrompt.append ? [{ systemPrompt: { append: 'Be brief.' } }] : []),
    ...(capabilities.systemPrompt.replace ? [{ systemPrompt: { replace: 'Be brief.' } }] : []),
    ...(capabilities.effort === 'any' ? ['high'] : capabilities.effort).map((effort) => ({ effort })),
    ...(capabilities.images ? [{ prompt: [text, image] }] : []),
    ...(capabilities.resume ? [{ resume: '0f4e3c1a-5b1d-4c6e-9d59-5f5f0e2b7a10' }] : []),
    ...(capabilities.fork ? [{ resume: '0f4e3c1a-5b1d-4c6e-9d59-5f5f0e2b7a10', fork: true }] : []),
    ...capabilities.backgroundTasks.map((backgroundTasks) => ({ backgroundTasks })),
    ...capabilities.endpoint.map((api) => ({
      endpoint: {
        url: 'http://127.0.0.1:9/v1',
        api,
        credential: secretMark,
        headers: { 'x-key': secretMark },
      },
      model: 'some-model',
    })),
    ...(capabilities.withoutProjectInstructions ? [{ projectInstructions: false }] : []),
    ...(capabilities.promptExpansion ? [{ promptExpansion: true }] : []),
    ...(capabilities.configuration ? [{ configuration: { someSetting: { deep: true } } }] : []),
  ]
  return sets.map((set) => ({ prompt: promptMark, ...set }))
}

function withoutEnvironment<T>(run: () => T): T {
  const before = process.env
  process.env = { COXSWAIN_CANARY: 'an adapter must not read this' }
  try {
    return run()
  } finally {
    process.env = before
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) deepFreeze(each)
    Object.freeze(value)
  }
  return value
}
