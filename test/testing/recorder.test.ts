import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { hideSecrets } from '../../src/testing/hide-secrets.ts'
import { neutralise, replacementsFor } from '../../src/testing/neutral.ts'
import { record } from '../../src/testing.ts'
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
