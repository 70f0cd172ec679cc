import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type AgentEvent,
  defineAdapter,
  deriveBridgeVariables,
  openSession,
  startTurn,
  type TurnOptions,
} from '../../src/index.ts'
import type { CompletionStatement, DeltaPayload, WireEvent } from '../../src/protocol/events.ts'
import { TokenWatch } from '../../src/run/token-watch.ts'
import { tinyLiveCli, tinyLiveProgram } from '../tiny-live-cli.ts'
import {
  bye,
  collect,
  echo,
  goodTurn,
  hello,
  said,
  say,
  scratch,
  scratchFile,
  shell,
  start,
} from './probe.ts'
import { toolful } from './toolful.ts'

const token = 'shipshape-and-bristol-fashion'
const scope = deriveBridgeVariables({ url: 'http://127.0.0.1:9', token, sessionId: 's1' })

function run(program: string, options: Partial<TurnOptions> = {}): Promise<AgentEvent[]> {
  const cwd = scratchFile('workspace')
  mkdirSync(join(cwd, 'deep', '.hidden'), { recursive: true })
  writeFileSync(join(cwd, 'old.txt'), token)
  const past = new Date(0)
  utimesSync(join(cwd, 'old.txt'), past, past)
  return collect(start(program, { adapter: toolful, cwd, scope, apiTransport: 'native_shell', ...options }))
}

const exposed = (events: readonly AgentEvent[]) =>
  events.flatMap((event) =>
    event.type === 'notice' && event.code === 'token_exposed' ? [event.message] : [],
  )

test("a session's token in a file that the turn wrote is told, by the file's name, before the completion", async () => {
  const events = await run(
    shell(
      'echo "token = $MCP_API_TOKEN" > deep/.hidden/notes.txt',
      'echo "$MCP_AUTH" > header',
      'echo nothing > clean.txt',
      echo(...goodTurn),
    ),
  )
  expect(exposed(events)).toEqual([
    "The session's token stands in the file deep/.hidden/notes.txt of the workspace.",
    "The session's token stands in the file header of the workspace.",
  ])
  expect(events.at(-1)).toMatchObject({ type: 'completion', status: 'success' })
  expect(JSON.stringify(events)).not.toContain(token)
})

test('one that the CLI says is told, though it is hidden there', async () => {
  const call = JSON.stringify({ type: 'call', id: 'c1', name: 'shell', input: { command: `curl ${token}` } })
  const result = JSON.stringify({ type: 'result', id: 'c1', text: 'ok' })
  const lines = [hello, call, result, say(`It is ${token.slice(0, 9)}`), say(`${token.slice(9)}.`), said, bye]
  const events = await run(shell(echo(...lines)))
  expect(exposed(events).slice(0, 2)).toEqual([
    "The session's token was said in the tool shell.",
    "The session's token was said in an answer.",
  ])
  expect(JSON.stringify(events)).not.toContain(token)
})

test('nothing is looked for where no shell was given a token', async () => {
  const program = shell(`echo ${token} > leak.txt`, echo(...goodTurn))
  expect(exposed(await run(program, { apiTransport: 'bridge_shell' }))).toEqual([])
})

test('one on stderr is told, and so is one in what the CLI says of its end', async () => {
  const failed = await run(shell('echo "Tried $MCP_AUTH" >&2', echo(hello), 'exit 3'))
  expect(exposed(failed)).toContain("The session's token was said in stderr.")
  expect(JSON.stringify(failed)).not.toContain(token)
})

describe('on the live transport', () => {
  const live = tinyLiveCli()
  const adapter = defineAdapter({ ...live, capabilities: { ...live.capabilities, nativeShell: ['deny'] } })
  const program = join(scratch, 'live-with-stderr.mjs')
  writeFileSync(program, `console.error('Tried ' + process.env.MCP_AUTH)\n${tinyLiveProgram}`)
  const options = {
    adapter,
    binary: [process.execPath, program] as [string, string],
    scope,
    apiTransport: 'native_shell' as const,
    conversations: 'discard' as const,
  }
  const prompt = `say:${token.slice(0, 12)} say:${token.slice(12)}`
  const told = ["The session's token was said in an answer.", "The session's token was said in stderr."]

  test('each turn of a session tells it before its completion', async () => {
    const cwd = scratchFile('workspace')
    mkdirSync(cwd)
    const session = await openSession({ ...options, cwd })
    const first = await collect(session.send(prompt))
    const second = await collect(session.send('say:Nothing.'))
    await session.close()
    expect(exposed(first)).toEqual(told)
    expect(first.at(-1)?.type).toBe('completion')
    // What it printed stands in the tail of every completion.
    expect(exposed(second)).toEqual([told[1]])
    expect(JSON.stringify([first, second])).not.toContain(token)
  })

  test('and so does a turn of its own', async () => {
    const cwd = scratchFile('workspace')
    mkdirSync(cwd)
    const events = await collect(startTurn({ ...options, cwd, prompt, transport: 'live' }))
    expect(exposed(events)).toEqual(told)
    expect(events.at(-1)).toMatchObject({ type: 'completion', status: 'success' })
    expect(JSON.stringify(events)).not.toContain(token)
  })
})

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
