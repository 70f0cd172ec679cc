import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DeltaPayload, WireEvent } from '../../src/protocol/events.ts'
import type { CompletionStatement } from '../../src/protocol/outcome.ts'
import { TokenWatch } from '../../src/run/token-watch.ts'
import { scratchFile } from './probe.ts'

/** As a bridge makes them. */
const random = 'dGhpcyBpcyAyNTYgYml0cyBvZiBub3RoaW5nISEhISE'
const nothing: Extract<CompletionStatement, { status: 'success' }> = {
  type: 'completion',
  status: 'success',
  text: '',
  evidence: { by: 'record', detail: 'result' },
}

type Said = Exclude<WireEvent, CompletionStatement>

async function heard(
  events: readonly Said[],
  more: { text?: string; structuredOutput?: unknown } = {},
  stderr = '',
) {
  const workspace = scratchFile('workspace')
  mkdirSync(workspace)
  const watch = new TokenWatch([random], workspace)
  for (const event of events) watch.hear(event)
  const notices = await watch.report({ statement: { ...nothing, ...more }, stderr })
  return notices.map(({ message }) => message.replace("The session's token was said in ", ''))
}

const delta = (messageId: string, text: string): DeltaPayload => ({
  type: 'delta',
  messageId,
  text,
  contentDelta: true,
})
const tool = { type: 'tool', toolId: 't1', name: 'shell', kind: 'execute' } as const
const base64 = (text: string) => Buffer.from(text).toString('base64')
const halves = [random.slice(0, 20), random.slice(20)] as const

describe('what is said is looked through', () => {
  const rows: [string, Said[], string[]][] = [
    [
      'a text',
      [{ type: 'message', messageId: 'm', text: `It is ${random}.`, status: 'completed' }],
      ['an answer.'],
    ],
    ['fragments of an answer', [...random].map((letter) => delta('m', letter)), ['an answer.']],
    [
      'two messages, of which one carries the other on',
      halves.map((half) => delta(half, half)),
      ['an answer.'],
    ],
    [
      'fragments of thinking',
      halves.map((text) => ({ type: 'thinking', messageId: 'm', text, contentDelta: true })),
      ['its thinking.'],
    ],
    [
      "fragments of a tool's input",
      halves.map((inputDelta) => ({ ...tool, phase: 'input', inputDelta })),
      ['the tool shell.'],
    ],
    [
      "fragments of a tool's output",
      halves.map((outputDelta) => ({ ...tool, phase: 'output', outputDelta })),
      ['the tool shell.'],
    ],
    [
      "a tool's whole input",
      [{ ...tool, phase: 'input', input: { command: `curl ${random}` } }],
      ['the tool shell.'],
    ],
    ['base64 of it', [delta('m', base64(random))], ['an answer.']],
    ['base64 of it and more', [delta('m', base64(`Authorization: Bearer ${random}\n`))], ['an answer.']],
    [
      'base64 in lines',
      [{ ...tool, phase: 'output', output: base64(`x: ${random}`).replace(/.{20}/g, '$&\n') }],
      ['the tool shell.'],
    ],
    [
      'a notice',
      [{ type: 'notice', level: 'info', code: 'stdout_line', message: random }],
      ['an event of type notice.'],
    ],
    ['halves that nobody put together', [delta('m', halves[1]), delta('m', halves[0])], []],
    ['halves of two speakers', [delta('m', halves[0]), { ...delta('n', halves[1]), parentToolId: 't' }], []],
  ]
  test.each(rows)('%s', async (_title, events, places) => {
    expect(await heard(events)).toEqual(places)
  })

  test("the completion's text, its error, its structured output", async () => {
    expect(await heard([], { text: random })).toEqual(['an answer.'])
    expect(await heard([], { structuredOutput: { token: random } })).toEqual(['the completion.'])
    expect(await heard([], {}, `* Trying\n${base64(random)}\n`)).toEqual(['stderr.'])
  })
})

describe('what was written is looked through', () => {
  const rows: [string, (workspace: string) => void, string[]][] = [
    [
      'base64 in a file',
      (at) => writeFileSync(join(at, 'a'), base64(`Bearer ${random}`)),
      ['stands in the file a of the workspace.'],
    ],
    [
      'across the pieces in which a file is read',
      (at) => writeFileSync(join(at, 'a'), `${' '.repeat(65_536 - 20)}${random}`),
      ['stands in the file a of the workspace.'],
    ],
    [
      'behind 30 MB in a file',
      (at) => writeFileSync(join(at, 'a'), `${'long line\n'.repeat(3_000_000)}${random}`),
      ['stands in the file a of the workspace.'],
    ],
    [
      'behind more than is read of a file',
      (at) => {
        writeFileSync(join(at, 'big'), '')
        truncateSync(join(at, 'big'), 2 ** 36)
        writeFileSync(join(at, 'small'), random)
      },
      ['stands in the file small of the workspace.', 'TOO LARGE'],
    ],
    [
      'the names of a file, a folder, and where a link leads',
      (at) => {
        writeFileSync(join(at, `${random}.txt`), '')
        mkdirSync(join(at, 'sub', `a-${random}`), { recursive: true })
        symlinkSync(`/nowhere/${random}`, join(at, 'link'))
      },
      [
        'stands in the name of the file [token].txt in the workspace.',
        'stands in the name of the folder sub/a-[token] in the workspace.',
        'stands in the name of the link link in the workspace.',
      ],
    ],
    [
      "an object of git's, whose file is gone",
      (at) => {
        const git = (...words: string[]) => execFileSync('git', words, { cwd: at, stdio: 'ignore' })
        git('init')
        writeFileSync(join(at, 'a'), `${'x'.repeat(1_000)}${random}`)
        git('add', 'a')
        rmSync(join(at, 'a'))
      },
      ['stands in the file .git/objects/OBJECT of the workspace.'],
    ],
    [
      'what only looks like one',
      (at) => {
        const folder = join(at, 'objects', 'ab')
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, 'c'.repeat(38)), random)
      },
      ['stands in the file objects/OBJECT of the workspace.'],
    ],
    [
      'a file with an old date, that was moved here',
      (at) => {
        const elsewhere = scratchFile('old')
        writeFileSync(elsewhere, random)
        utimesSync(elsewhere, 1, 1)
        renameSync(elsewhere, join(at, 'moved'))
      },
      ['stands in the file moved of the workspace.'],
    ],
    [
      'nothing of what a link leads to, nor of what was removed',
      (at) => {
        const outside = scratchFile('outside')
        mkdirSync(outside)
        writeFileSync(join(outside, 'a'), random)
        symlinkSync(outside, join(at, 'folder'))
        symlinkSync(join(outside, 'a'), join(at, 'file'))
        writeFileSync(join(at, 'gone'), random)
        rmSync(join(at, 'gone'))
      },
      [],
    ],
  ]
  test.each(rows)('%s', async (_title, write, messages) => {
    const workspace = scratchFile('workspace')
    mkdirSync(workspace)
    const watch = new TokenWatch([random], workspace)
    write(workspace)
    const notices = await watch.report({ statement: nothing, stderr: '' })
    const shown = notices.map(({ message }) =>
      message
        .replace("The session's token ", '')
        .replace(/[0-9a-f]{2}\/[0-9a-f]{38}/, 'OBJECT')
        .replace(/^The workspace is too large .*/, 'TOO LARGE'),
    )
    expect(shown).toEqual(messages)
    expect(JSON.stringify(notices)).not.toContain(random)
  })
})
