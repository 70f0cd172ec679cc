import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { adapters } from '../../src/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const consumer = inject('consumer')
const programs = join(consumer, 'programs')
const readme = await readFile(join(root, 'README.md'), 'utf8')
const snippets = snippetsOf(readme)
const pages = ['options', 'errors', 'reference'] as const
const names = ['use', 'session', 'output', 'profile', 'tools', 'tests', 'adapter', 'acp'] as const

function snippetsOf(page: string): string[] {
  return [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? '')
}

/** A program on PATH that prints a recording, whatever it is asked. */
async function install(name: string, version: string, stdout: string): Promise<void> {
  await mkdir(programs, { recursive: true })
  const program = `#!/usr/bin/env node
if (process.argv.includes('--version')) console.log(${JSON.stringify(version)})
else process.stdin.resume().on('end', () => process.stdout.write(${JSON.stringify(stdout)}))
`
  await writeFile(join(programs, name), program)
  await chmod(join(programs, name), 0o755)
}

/** A pi that answers each request of its rpc mode with what was recorded after that request. */
async function installLivePi(): Promise<void> {
  const recording = join(root, 'fixtures/pi-cli/1.6.0/live-two-turns.jsonl')
  const program = `#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const answers = new Map()
let id
for (const line of readFileSync(${JSON.stringify(recording)}, 'utf8').trim().split('\\n')) {
  const record = JSON.parse(line)
  if (record.type === 'response') id = record.id
  answers.set(id, (answers.get(id) ?? '') + line + '\\n')
}
if (process.argv.includes('--version')) console.log('1.6.0')
else {
  createInterface({ input: process.stdin }).on('line', (line) => process.stdout.write(answers.get(JSON.parse(line).id) ?? ''))
}
`
  await writeFile(join(programs, 'pi'), program)
  await chmod(join(programs, 'pi'), 0o755)
  await writeFile(join(programs, 'package.json'), '{"type":"module"}')
}

/** An agent that answers each prompt with one text. */
async function installAcpAgent(name: string): Promise<void> {
  const program = `#!/usr/bin/env node
import { createInterface } from 'node:readline'
const send = (record) => console.log(JSON.stringify({ jsonrpc: '2.0', ...record }))
const results = {
  initialize: { protocolVersion: 1 },
  'session/new': { sessionId: 's1' },
  'session/prompt': { stopReason: 'end_turn' },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Two files.' } }
  if (method === 'session/prompt') send({ method: 'session/update', params: { sessionId: 's1', update } })
  send({ id, result: results[method] })
})
`
  await writeFile(join(programs, name), program)
  await chmod(join(programs, name), 0o755)
}

async function run(file: string) {
  const result = await execa('node', [file], {
    cwd: consumer,
    env: { PATH: `${programs}:${process.env.PATH}`, XDG_STATE_HOME: join(consumer, 'state') },
  })
  return result.stdout
}

beforeAll(async () => {
  for (const [index, name] of names.entries()) {
    await writeFile(join(consumer, `${name}.ts`), snippets[index] ?? '')
  }
  const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node']
  const files = names.map((name) => `${name}.ts`)
  for (const page of pages) {
    const found = snippetsOf(await readFile(join(root, `docs/${page}.md`), 'utf8'))
    expect(found).toHaveLength(1)
    await writeFile(join(consumer, `${page}-page.ts`), found[0] ?? '')
    files.push(`${page}-page.ts`)
  }
  await execa(join(root, 'node_modules/.bin/tsc'), [...options, ...files], { cwd: consumer })
  const recording = await readFile(join(root, 'fixtures/claude-code/2.1.332/tool.jsonl'), 'utf8')
  await install('claude', '2.1.332 (Claude Code)', recording)
  await installLivePi()
  await installAcpAgent('opencode')
})

describe('the README', () => {
  test('has as many snippets as are run here', () => {
    expect(snippets).toHaveLength(names.length)
  })

  test('names the range of versions that each adapter declares', () => {
    const row = readme.split('\n').find((line) => line.startsWith('| versions |')) ?? ''
    for (const { version } of Object.values(adapters)) {
      expect(row).toContain(`${version.floor} to ${version.tested}`)
    }
  })

  test('the snippet of a turn streams it and tells how it ended', async () => {
    const stdout = await run('use.js')
    expect(stdout).toContain('I will start with a greeting.\n[Bash]\n')
    expect(stdout).toContain('success Both commands ran.')
  })

  test('the snippets of docs/options.md, docs/reference.md and docs/errors.md run', async () => {
    expect(await run('options-page.js')).toBe('')
    expect(await run('reference-page.js')).toBe('')
    expect(await run('errors-page.js')).toBe(
      'invalid_options Use one of the known ids, or pass an adapter made with defineAdapter().',
    )
  })

  test('the snippet of a session asks twice in one session', async () => {
    expect(await run('session.js')).toBe('Turn 1.\nTurn 2.')
  })

  test('the snippet of an output gets an answer of its shape', async () => {
    const records = [
      { type: 'thread.started', thread_id: '019fee32-0000-7000-8000-000000000000' },
      { type: 'turn.started' },
      {
        type: 'item.completed',
        item: { id: 'item_0', type: 'agent_message', text: '{"verdict":"ship","risks":[]}' },
      },
      { type: 'turn.completed', usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } },
    ]
    await install(
      'codex',
      'codex-cli 0.55.0',
      records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    )
    expect(await run('output.js')).toBe('ship')
  })

  test('the snippet of a profile resolves it, and says all that is wrong with another', async () => {
    expect(await run('profile.js')).toBe(`{
  transport: 'auto',
  liveInput: 'optional',
  approvals: 'deny',
  tools: { mode: 'hybrid', allow: [ 'weather' ] }
}
tools.enabled.1: The name of a tool is blank. Take the entry out.
liveInput: transport: 'structured' cannot be combined with liveInput: 'required'. Leave \`transport\` out, or ask for 'live'.`)
  })

  test('the snippet of tools serves a function to a shell', async () => {
    const result = { content: [{ type: 'text', text: '{"degrees":21}' }], structuredContent: { degrees: 21 } }
    expect(await run('tools.js')).toBe(`200 ${JSON.stringify(result)}`)
  })

  test('the snippet of ACP drives an agent', async () => {
    expect(await run('acp.js')).toBe('Two files.')
  })

  test('the snippet of tests replays a fixture, and turns a CLI against the model server', async () => {
    const stdout = await run('tests.js')
    expect(stdout).toMatch(
      /^I will start with a greeting\.\n\nNow one with an accent and a boat\.\n\nBoth commands ran/,
    )
    expect(stdout).toMatch(/success\ncrashed$/)
  })

  test('the adapter of its snippet drives its CLI', async () => {
    const records = [
      { type: 'session', id: 'one' },
      { type: 'text', text: 'Hello ' },
      { type: 'text', text: 'there.' },
      { type: 'done' },
    ]
    await install('echo-cli', '1.2.0', records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    await writeFile(
      join(consumer, 'drive.js'),
      `import { startTurn } from 'coxswain'
       import { echoCli } from './adapter.js'
       console.log(await startTurn({ adapter: echoCli, prompt: 'Hi.' }).text())`,
    )
    expect(await run('drive.js')).toBe('Hello there.')
  })

  test('the adapter of its snippet passes the conformance suite from outside this repository', async () => {
    const fixture = (name: string) => join(consumer, 'fixtures/1.2.0', name)
    await mkdir(dirname(fixture('hello')), { recursive: true })
    const records = [{ type: 'session', id: 'one' }, { type: 'text', text: 'Hello there.' }, { type: 'done' }]
    await writeFile(fixture('hello.jsonl'), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    await writeFile(
      fixture('hello.expect.json'),
      JSON.stringify({ status: 'success', text: 'Hello there.', tools: [], retracted: [] }),
    )
    await writeFile(
      join(consumer, 'conformance.js'),
      `import { testAdapter, updateSnapshots } from 'coxswain/testing'
       import { echoCli } from './adapter.js'
       const fixtures = new URL('./fixtures/', import.meta.url)
       updateSnapshots(echoCli, fixtures)
       testAdapter(echoCli, { fixtures })`,
    )
    const result = await execa('node', ['--test', 'conformance.js'], { cwd: consumer, reject: false })
    expect(result.stdout).toMatch(/# fail 0/)
    expect(result.stdout).toMatch(/# pass \d{1,}/)
    expect(result.exitCode).toBe(0)
  })
})
