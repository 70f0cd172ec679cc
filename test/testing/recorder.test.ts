import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { hideSecrets } from '../../src/testing/hide-secrets.ts'
import { installDirectories, neutralise, replacementsFor } from '../../src/testing/neutral.ts'
import { record } from '../../src/testing.ts'
import { piecesOf } from '../secrets-said.ts'
import { tinyCli } from '../tiny-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'coxswain-recorder-'))
afterAll(() => rmSync(folder, { recursive: true }))

const machine = {
  home: '/home/ada',
  cwd: '/home/ada/project',
  temporary: '/tmp',
  user: 'ada',
  host: 'analytical-engine',
}

it('what tells whose machine it was is replaced, and everything else stays byte for byte', () => {
  const text = [
    '{"cwd":"/home/ada/project","config":"/home/ada/.tiny/projects/-home-ada-project/a.jsonl"}',
    'ada@analytical-engine, Canada, adamant',
    'key sk-12345678 in base64 c2stMTIzNDU2Nzg=',
  ].join('\n')
  const broken = Buffer.from([0xff, 0xc3, 0x0a])
  const hidden = hideSecrets(Buffer.concat([Buffer.from(text), broken]), [
    { name: 'TINY_KEY', value: 'sk-12345678' },
  ])
  const { bytes, replaced } = neutralise(hidden.bytes, replacementsFor(machine))
  const end = bytes.subarray(-3)
  expect(bytes.subarray(0, -3).toString()).toBe(
    [
      '{"cwd":"/work","config":"/home/user/.tiny/projects/-work/a.jsonl"}',
      'user@host, Canada, adamant',
      'key REDACTED_TINY_KEY in base64 REDACTED_TINY_KEYg=',
    ].join('\n'),
  )
  expect(end).toEqual(broken)
  expect([...hidden.replaced, ...replaced]).toEqual([
    { what: 'secret TINY_KEY', by: 'REDACTED_TINY_KEY', count: 2 },
    { what: 'working directory', by: '/work', count: 2 },
    { what: 'home', by: '/home/user', count: 1 },
    { what: 'user name', by: 'user', count: 1 },
    { what: 'host name', by: 'host', count: 1 },
  ])
})

it('a user called root is nobody in particular', () => {
  const { bytes } = neutralise(
    Buffer.from('the root of /root/x'),
    replacementsFor({ ...machine, home: '/root', user: 'root' }),
  )
  expect(bytes.toString()).toBe('the root of /home/user/x')
})

it('a turn becomes a fixture: stdout, stderr, exit', async () => {
  const script = join(folder, 'tiny.mjs')
  writeFileSync(
    script,
    `process.stdout.write(JSON.stringify({ type: 'hello', id: 'talk-1', cwd: process.cwd() }) + '\\n')
     process.stderr.write('key ' + process.env.SECRET_TINY + '\\n')
     process.stdout.write('{"type":"say","text":"Done."}\\n{"type":"bye"}')
     process.exitCode = 3`,
  )
  const directory = join(folder, 'fixtures')
  const types: string[] = []
  const result = await record({
    turn: {
      adapter: tinyCli(),
      prompt: 'hello',
      cwd: folder,
      binary: [process.execPath, script],
      scope: { SECRET_TINY: 'a-secret-of-mine' },
      environment: { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, 'state') },
    },
    directory,
    name: 'turn',
    onEvent: (event) => types.push(event.type),
  })
  expect(result).toMatchObject({
    path: join(directory, 'turn.jsonl'),
    exit: { exitCode: 3, signal: null },
    completion: { status: 'success', text: 'Done.' },
  })
  expect(types.at(-1)).toBe('completion')
  expect(readFileSync(result.path, 'utf8')).toBe(
    '{"type":"hello","id":"talk-1","cwd":"/work"}\n{"type":"say","text":"Done."}\n{"type":"bye"}',
  )
  expect(readFileSync(join(directory, 'turn.stderr'), 'utf8')).toBe('key REDACTED_SECRET_TINY\n')
  expect(readFileSync(join(directory, 'turn.exit.json'), 'utf8')).toBe('{"exitCode":3,"signal":null}\n')
  expect(result.replaced.map(({ what, count }) => `${what}: ${count}`)).toEqual([
    'working directory: 1',
    'secret SECRET_TINY: 1',
  ])
})

describe('a recording holds no secret', () => {
  const secrets = [
    { name: 'SECRET_X', value: 'tide-7f3a9b1c4dEF' },
    { name: 'SECRET_ODD', value: 'pa"ss\\w/rd+é 91' },
  ]
  const hide = (text: string) => hideSecrets(Buffer.from(text), secrets).bytes.toString()
  const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

  it.each([1, 2, 3, 4, 5, 6, 7])('that the CLI said in pieces of %i', (size) => {
    const text = 'It is tide-7f3a9b1c4dEF or pa"ss\\w/rd+é 91.'
    const delta = (piece: string) => ({ type: 'delta', index: 0, delta: { text: piece }, n: 1 })
    const before = lines({ type: 'hello' }, ...piecesOf(text, size).map(delta), { type: 'whole', text })
    const after = hide(before)
    const records = after
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(records.map((record) => record.delta?.text ?? '').join('')).toBe(
      'It is REDACTED_SECRET_X or REDACTED_SECRET_ODD.',
    )
    expect(records).toHaveLength(before.trim().split('\n').length)
    expect(records.at(-1)).toEqual({ type: 'whole', text: 'It is REDACTED_SECRET_X or REDACTED_SECRET_ODD.' })
  })

  it('in pieces of two texts that come at once', () => {
    const piece = (index: number, text: string) => ({ type: 'delta', index, text })
    expect(
      hide(
        lines(piece(0, 'a tide-7f3a'), piece(1, 'b tide-'), piece(0, '9b1c4dEF'), piece(1, '7f3a9b1c4dEF c')),
      ),
    ).toBe(
      lines(piece(0, 'a REDACTED_SECRET_X'), piece(1, 'b REDACTED_SECRET_X'), piece(0, ''), piece(1, ' c')),
    )
  })

  it('whose records repeat the whole message so far', () => {
    const record = (delta: string, message: string) => ({ delta, message })
    expect(
      hide(lines(record('a tide-7f3a9b', 'a tide-7f3a9b'), record('1c4dEF!', 'a tide-7f3a9b1c4dEF!'))),
    ).toBe(lines(record('a REDACTED_SECRET_X', 'a REDACTED_SECRET_X'), record('!', 'a REDACTED_SECRET_X!')))
  })

  it('as JSON within JSON within JSON, in base64, and beside bytes that are no text', () => {
    const deep = JSON.stringify({ a: JSON.stringify({ b: JSON.stringify('pa"ss\\w/rd+é 91') }) })
    expect(hide(lines({ deep }))).toBe(lines({ deep: deep.replace(/pa.*91/, 'REDACTED_SECRET_ODD') }))
    const broken = Buffer.concat([Buffer.from([0xff]), Buffer.from('pa"ss\\w/rd+é 91|'), Buffer.from([0xc3])])
    expect(hideSecrets(broken, secrets).bytes).toEqual(
      Buffer.concat([Buffer.from([0xff]), Buffer.from('REDACTED_SECRET_ODD|'), Buffer.from([0xc3])]),
    )
  })

  it('and what has none stays byte for byte', () => {
    const text = '{"a": 1.0,  "b":"\\u00e9"}\nno JSON\n{"a": 1.0,  "b":"tide-"}\n'
    expect(hide(text)).toBe(text)
  })
})

it('where a CLI is installed is told by what its node_modules lie in, or by its folder; the system is no place', () => {
  expect(
    installDirectories([
      '/usr/bin/node',
      '/home/ada/tools/node_modules/cli/bin/cli.js',
      '/srv/agents/pi',
      '--flag',
    ]),
  ).toEqual(['/home/ada/tools', '/srv/agents'])
  const { bytes } = neutralise(
    Buffer.from('at /home/ada/tools/node_modules/cli/bin/cli.js:1'),
    replacementsFor({ ...machine, install: ['/home/ada/tools'] }),
  )
  expect(bytes.toString()).toBe('at /install/node_modules/cli/bin/cli.js:1')
})

it('a turn that could not start leaves no fixture behind', async () => {
  const directory = join(folder, 'nothing')
  await expect(
    record({
      turn: { adapter: tinyCli(), prompt: 'hello', binary: join(folder, 'missing') },
      directory,
      name: 'turn',
    }),
  ).rejects.toMatchObject({ code: 'not_installed' })
  expect(() => readFileSync(join(directory, 'turn.jsonl'))).toThrow()
})
