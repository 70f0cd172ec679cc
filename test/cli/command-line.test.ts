import { describe, expect, it } from 'vitest'
import { coxswain, fakeCodex, good } from './terminal.ts'

describe('the flags of the trust boundary', () => {
  it.each([
    [[], 'hidden'],
    [['--credential-exposure=hidden'], 'hidden'],
    [['--credential-exposure=visible'], 'visible'],
  ])('%s: the key of the gateway is %s', async (flags, exposure) => {
    const binary = await fakeCodex({ print: good })
    const gateway = ['--endpoint=http://127.0.0.1:9/v1', '--endpoint-credential=GATEWAY_KEY']
    const { out } = await coxswain(['run', 'codex', 'look', '--json', ...gateway, ...flags, ...binary], {
      environment: { GATEWAY_KEY: 'gateway-key-7f3a9b' },
    })
    expect(out).toContain(`"credentialExposure":"${exposure}"`)
    expect(out).not.toContain('gateway-key-7f3a9b')
  })

  it.each([
    ['ignore', false],
    ['trust', true],
  ])('--project-configuration=%s: the hooks of the project are trusted: %s', async (word, trusted) => {
    const binary = await fakeCodex({ tell: ['argv'] }, { print: good })
    const flag = `--project-configuration=${word}`
    const { out } = await coxswain(['run', 'codex', 'look', '--json', '--raw', flag, ...binary])
    expect(out).toContain('"argv":[')
    expect(out.includes('--dangerously-bypass-hook-trust')).toBe(trusted)
  })

  it.each(['--credential-exposure', '--project-configuration'])(
    '%s takes its own words only',
    async (flag) => {
      const { code, err } = await coxswain(['run', 'codex', 'look', `${flag}=sometimes`])
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`${flag} is "sometimes".`) })
    },
  )
})

describe('a wrong command line is one line with what to do, and exit code 2', () => {
  const rows: [string, string[], RegExp][] = [
    ['an unknown command', ['rum'], /no command "rum".\n {2}Did you mean "coxswain run"\?/],
    ['no adapter', ['run'], /Name an adapter.\n {2}There are claude-code, codex-cli, cursor-cli, pi-cli/],
    ['an unknown adapter', ['run', 'codec', 'x'], /no adapter "codec".\n {2}Did you mean codex/],
    ['no prompt', ['run', 'codex'], /There is no prompt/],
    ['an empty prompt', ['run', 'codex', ''], /`prompt` is empty/],
    ['two prompts', ['run', 'codex', 'hello', 'there'], /more than one word of the shell/],
    [
      'an unknown flag',
      ['run', 'codex', 'x', '--sanbox=off'],
      /no flag --sanbox here.\n {2}Did you mean --sandbox/,
    ],
    ['a flag without its value', ['run', 'codex', 'x', '--model'], /--model needs a value: --model NAME/],
    ['a switch with a value', ['run', 'codex', 'x', '--json=1'], /--json takes no value/],
    ['a flag twice', ['run', 'codex', 'x', '--model=a', '--model=b'], /--model is given twice/],
    [
      'an unknown word',
      ['run', 'codex', 'x', '--approvals=yes'],
      /--approvals is "yes".\n {2}It takes deny, auto/,
    ],
    ['a timeout of nothing', ['run', 'codex', 'x', '--timeout=0'], /--timeout is "0"/],
    ['a refused scope key', ['run', 'codex', 'x', '--scope', 'PATH=/x'], /scope cannot grant "PATH"/],
    [
      'a scope key without a value',
      ['run', 'codex', 'x', '--scope', 'SECRET_A'],
      /the environment has no SECRET_A/,
    ],
    ['settings that are none', ['run', 'codex', 'x', '--configuration=[]'], /no JSON object/],
    ['a reserved flag', ['run', 'codex', 'x', '--argument=--json'], /"--json" belongs to the option/],
    [
      'what the CLI cannot honour',
      ['run', 'cursor', 'x', '--endpoint=http://a'],
      /cursor-cli does not support endpoint/,
    ],
    ['events as the CLI said them, which nobody shows', ['run', 'codex', 'x', '--raw'], /--raw needs --json/],
    ['a flag in the place of a command', ['-v'], /no flag -v here.\n {2}See coxswain --help/],
    ['two adapters', ['env', 'codex', 'pi'], /env takes no "pi"/],
    ['no recording', ['replay', 'codex'], /Name a recording/],
    [
      'a folder without one',
      ['replay', 'codex', import.meta.dirname],
      /There is no recording of codex-cli in /,
    ],
    ['a recording that is not there', ['replay', 'codex', '/nowhere.jsonl'], /There is no \/nowhere.jsonl/],
    ['no case', ['record', 'codex'], /Name the case/],
  ]
  it.each(rows)('%s', async (_title, argv, message) => {
    const { code, out, err } = await coxswain(argv)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toMatch(message)
    expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(2)
  })
})

describe('help', () => {
  it('lists the commands and the exit codes', async () => {
    const { code, out } = await coxswain(['--help'])
    expect(code).toBe(0)
    for (const word of ['run', 'replay', 'record', 'doctor', 'env', 'demo', 'matrix', 'Exit codes:']) {
      expect(out).toContain(word)
    }
  })

  it.each(['run', 'replay', 'record', 'doctor', 'env', 'demo', 'matrix'])(
    '%s has its own',
    async (command) => {
      const { code, out } = await coxswain([command, '--help'])
      expect(code).toBe(0)
      expect(out).toContain(`Usage: coxswain ${command}`)
      expect(out).toContain('Exit codes:')
      expect((await coxswain(['help', command])).out).toBe(out)
    },
  )

  it('nothing at all is a usage error with the help', async () => {
    const { code, out, err } = await coxswain([])
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toContain('Usage: coxswain COMMAND')
  })

  it('the version is that of the package', async () => {
    expect((await coxswain(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
