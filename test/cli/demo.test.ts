import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fakeCli } from '../../src/testing.ts'
import { coxswain, scratchFolder } from './terminal.ts'

/** No CLI at all is on it, but what a tool call of the stand-in needs is. */
const bare = { PATH: '/usr/bin:/bin' }

/** The cells of a line of the table. */
const cells = (line = '') => line.split(/ {2,}/)

it('demo without a Cursor CLI plays its stand-in, says so, and ends with a table whose answer is intact', async () => {
  const { code, out, err } = await coxswain(['demo', 'cursor'], { environment: bare })
  const lines = out.trimEnd().split('\n')
  expect(out).toContain('Cursor CLI is not installed here: a stand-in plays its part.')
  expect(cells(lines.at(-2))).toEqual([
    'adapter',
    'CLI version',
    'transport',
    'first event (ms)',
    'content deltas',
    'thinking deltas',
    'tool calls',
    'status',
    'answer intact',
  ])
  const [adapter, version, transport, firstEventMs, content, thinking, ...rest] = cells(lines.at(-1))
  expect([adapter, version, transport]).toEqual(['cursor-cli', '2026.09.15-standin', 'structured'])
  expect(Number(firstEventMs)).toBeGreaterThan(0)
  expect(Number(content)).toBeGreaterThan(10)
  expect(Number(thinking)).toBeGreaterThan(1)
  expect(rest).toEqual(['2', 'success', 'yes'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
})

it('demo off a terminal prints one plain line per event, numbered without gaps', async () => {
  const { out } = await coxswain(['demo', 'cursor'], { environment: bare })
  const events = out
    .split('\n')
    .filter((line) => line.startsWith('cursor-cli  ') && / \d+ {2}[a-z]+ /.test(line))
  const numbers = events.map((line) => Number(/^cursor-cli +(\d+)/.exec(line)?.[1]))
  expect(numbers.length).toBeGreaterThan(20)
  expect(numbers).toEqual([...numbers.keys()])
  expect(out).not.toContain('\u001b[')
  expect(out).toContain('session     new ')
  expect(out).toMatch(/completion {2}success$/m)
})

it('demo on a terminal streams the answer as text, in colours', async () => {
  const { out } = await coxswain(['demo', 'cursor'], { environment: bare, isTerminal: true })
  expect(out).toContain('\u001b[')
  expect(out).not.toMatch(/cursor-cli +\d+ +delta/)
  expect(out).toContain('\u001b[1mshell\u001b[22m echo hello from the shell\n')
  expect(out).toContain('first event  content  thinking  tool ')
})

it('demo drives a CLI in a folder with a comma and a space, given word by word', async () => {
  const folder = scratchFolder('a, b')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  symlinkSync(process.execPath, join(folder, 'node'))
  const talk = { session_id: 's1' }
  const content = [{ type: 'text', text: 'Not the answer.' }]
  const claude = await fakeCli({
    version: '2.1.332 (Claude Code)',
    steps: [
      {
        print: [
          { type: 'system', subtype: 'init', claude_code_version: '2.1.332', model: 'm', tools: [], ...talk },
          { type: 'assistant', message: { id: 'm1', role: 'assistant', content }, ...talk },
          { type: 'result', subtype: 'success', is_error: false, result: '', ...talk },
        ],
      },
    ],
  })
  onTestFinished(() => claude.remove())
  const words = [join(folder, 'node'), ...claude.binary.slice(1)].map((word) => `--binary=claude=${word}`)
  const { code, out } = await coxswain(['demo', 'claude', ...words])
  expect(out).toMatch(/^claude-code {2}2\.1\.332 .* success +no$/m)
  expect(code).toBe(1)
})

it.each([
  ['--binary=codex', '--binary codex is no ADAPTER=FILE.'],
  ['--binary=codecs=/bin/true', 'codecs'],
  ['--binary=claude=/bin/true', '--binary names claude-code, which is not driven here: codex-cli.'],
])('demo %s is a fault of the command line, and nothing starts', async (flag, message) => {
  const { code, out, err } = await coxswain(['demo', 'codex', flag])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(message)
})
