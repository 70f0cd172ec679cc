import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { type AgentEvent, startTurn, type TurnOptions } from '../../src/index.ts'
import { discardsOver } from '../../src/run/home-removal.ts'
import { cursorStandIn } from '../../src/testing/cursor-stand-in.ts'
import { checkGuarantees } from '../../src/testing/guarantees.ts'
import { type ModelServer, startModelServer } from '../../src/testing/model-server.ts'
import type { ModelRequest, Reply } from '../../src/testing/scenario.ts'
import { realCli } from './clis.ts'

const apis = { 'claude-code': 'anthropic', 'codex-cli': 'openai-responses', 'pi-cli': 'openai-chat' } as const
const aliases = ['claude-2.1', 'claude-2.0', 'codex-0.171', 'codex-0.113', 'pi-1.6', 'pi-0.73'] as const
const stateRoot = fileURLToPath(new URL('../../.cache/', import.meta.url))

/** Eight turns of each of six real versions, sixteen of the stand-in for cursor's. */
const crew = [
  ...aliases.flatMap((alias) => Array.from({ length: 8 }, () => alias)),
  ...Array.from({ length: 16 }, () => 'cursor' as const),
]

test('64 turns at once keep to themselves, and leave nothing behind', { timeout: 400_000 }, async () => {
  const folder = await makeFolder()
  const state = join(folder, 'state')
  const server = await startModelServer({ scenario: answerTo })
  const gate = await openGate(server)
  onTestFinished(() => Promise.all([gate.close(), server.close()]).then(() => {}))
  const environment = { PATH: process.env.PATH, HOME: join(folder, 'home'), XDG_STATE_HOME: state }

  const cursorsWaiting: Promise<void>[] = []
  const turns = await Promise.all(
    crew.map(async (alias, number) => {
      const cwd = join(folder, `project-${number}`)
      await mkdir(cwd, { recursive: true })
      for (const name of ['AGENTS.md', 'CLAUDE.md'])
        await writeFile(join(cwd, name), `instructions-word-${number}.`)
      const common = {
        prompt: `Say the prompt-word-${number}.`,
        cwd,
        environment,
        scope: { SECRET_MINE: `secret-word-${number}.` },
        approvals: 'approve-all',
        budgets: { totalMs: 300_000 },
      } as const
      const turn = startTurn({ ...common, ...launchOf(alias, number, folder, gate.url) })
      const events: AgentEvent[] = []
      let tool = () => {}
      if (alias === 'cursor') cursorsWaiting.push(new Promise((resolve) => (tool = resolve)))
      const over = (async () => {
        for await (const event of turn) {
          events.push(event)
          if (event.type === 'tool') tool()
        }
      })()
      return { number, alias, turn, events, over }
    }),
  )

  // Every home is there, none has had an answer.
  await Promise.race([
    Promise.all([gate.allWait, ...cursorsWaiting]),
    Promise.any(turns.map(({ turn }) => turn.completion)).then((early) => {
      throw new Error(`A turn ended before all had begun: ${JSON.stringify(early.error)}`)
    }),
  ])
  expect(await homesIn(state)).toEqual({
    'claude-code': 16,
    'codex-cli': 16,
    'cursor-cli': 16,
    'pi-cli': 16,
  })
  gate.open()
  await writeFile(join(folder, 'gate'), '')
  await Promise.all(turns.map(({ over }) => over))

  for (const { number, alias, events, turn } of turns) {
    const { status, error, text } = await turn.completion
    expect({ alias, number, status, error, text }).toEqual({
      alias,
      number,
      status: 'success',
      error: undefined,
      text: `answer-word-${number}.`,
    })
    expect(checkGuarantees(events)).toEqual([])
    expect(wordsIn(events)).toEqual([`answer-word-${number}`, `tool-word-${number}`])
    expect(JSON.stringify(events)).toContain(`tool-word-${number}. [redacted:SECRET_MINE]`)
    if (alias === 'cursor') continue
    const asked = server.requests.filter((request) => numberOf(request) === number && !request.side)
    expect(wordsIn(asked.map(({ body }) => body))).toEqual([
      `instructions-word-${number}`,
      `prompt-word-${number}`,
      `secret-word-${number}`,
      `tool-word-${number}`,
    ])
  }

  await discardsOver()
  expect(await homesIn(state)).toEqual({ 'claude-code': 0, 'codex-cli': 0, 'cursor-cli': 0, 'pi-cli': 0 })
  expect(await leftIn(join(state, 'coxswain/homes'))).toEqual([])
  expect(await processesOf(folder)).toEqual([])
})

const command = (number: number) => `echo tool-word-${number}. $SECRET_MINE`

function answerTo(request: ModelRequest, answersHeld: number): Reply {
  const number = numberOf(request)
  if (answersHeld > 0) return { text: `answer-word-${number}.` }
  return { toolCalls: [{ name: 'shell', input: { command: command(number) } }] }
}

function numberOf(request: ModelRequest): number {
  return Number(/prompt-word-(\d+)/.exec(request.userTexts.join(' '))?.[1] ?? Number.NaN)
}

function launchOf(
  alias: (typeof crew)[number],
  number: number,
  folder: string,
  gate: string,
): Pick<TurnOptions, 'adapter' | 'binary' | 'endpoint'> {
  if (alias === 'cursor') {
    const waiting = `until [ -e ${join(folder, 'gate')} ]; do sleep 0.2; done; ${command(number)}`
    const replies = [
      { toolCalls: [{ name: 'shell', input: { command: waiting } }] },
      { text: `answer-word-${number}.` },
    ]
    return { adapter: 'cursor-cli', binary: cursorStandIn({ replies }) }
  }
  const { adapter, binary } = realCli(alias)
  const api = apis[adapter]
  return { adapter, binary, endpoint: { url: api === 'anthropic' ? gate : `${gate}/v1`, api } }
}

/** Stands before the model server, and holds what comes until it is opened. */
async function openGate(server: ModelServer) {
  const expected = crew.filter((alias) => alias !== 'cursor').length
  const seen = new Set<string>()
  const [allWait, allAreHere] = signal()
  const [opened, open] = signal()
  const gate = createServer((incoming, response) => {
    response.on('error', () => {})
    pass(incoming).then(
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      },
      () => response.destroy(),
    )
  })
  async function pass(incoming: IncomingMessage): Promise<IncomingMessage> {
    const body = await textOf(incoming)
    const word = /prompt-word-\d+/.exec(body)?.[0]
    if (word) seen.add(word)
    if (seen.size === expected) allAreHere()
    await opened
    const { method, headers } = incoming
    const onward = sendRequest(`${server.url}${incoming.url}`, { method, headers })
    onward.end(body)
    const [answer] = await once(onward, 'response')
    return answer
  }
  gate.listen(0, '127.0.0.1')
  await once(gate, 'listening')
  const address = gate.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const close = async () => {
    gate.close()
    gate.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, allWait, open, close }
}

function signal(): [Promise<void>, () => void] {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return [given, () => give()]
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk
  return text
}

function wordsIn(value: unknown): string[] {
  return [
    ...new Set(JSON.stringify(value).match(/(?:answer|instructions|prompt|secret|tool)-word-\d+/g)),
  ].sort()
}

async function makeFolder(): Promise<string> {
  await mkdir(stateRoot, { recursive: true })
  const folder = await realpath(await mkdtemp(join(stateRoot, 'side-by-side-')))
  await mkdir(join(folder, 'home'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function homesIn(state: string): Promise<Record<string, number>> {
  const homes = join(state, 'coxswain/homes')
  const counts: Record<string, number> = {}
  for (const adapter of (await readdir(homes)).sort()) {
    const entries = await readdir(join(homes, adapter), { withFileTypes: true })
    counts[adapter] = entries.filter((entry) => entry.isDirectory() && entry.name !== '.removed').length
  }
  return counts
}

/** Files and folders that are neither an adapter's nor what removals pass through. */
async function leftIn(homes: string): Promise<string[]> {
  const all = await readdir(homes, { recursive: true })
  return all.filter((name) => !/^[a-z-]+(\/\.removed)?$/.test(name))
}

/** Command lines of processes whose environment is that of a turn in this folder. */
async function processesOf(folder: string): Promise<string[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const read = (id: string, file: string) => readFile(`/proc/${id}/${file}`, 'utf8').catch(() => '')
  const found = await Promise.all(
    ids.map(async (id) => {
      const environment = await read(id, 'environ')
      const isOurs = environment.includes('COXSWAIN_TURN=') && environment.includes(folder)
      return isOurs ? [await read(id, 'cmdline')] : []
    }),
  )
  return found.flat()
}
