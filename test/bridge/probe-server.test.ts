import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CheckedMcpServer } from '../../src/adapters/launch-options.ts'
import { listServerTools, type ProbeOptions } from '../../src/bridge/probe-server.ts'
import { listening } from '../loopback.ts'
import { gone } from '../run/probe.ts'
import { bearer, startBridge } from './clients.ts'

const program = fileURLToPath(new URL('programs/stdio-server.mjs', import.meta.url))
const environment = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, LANG: 'C' }
const secret = 'server-secret-0123456789'

function list(server: CheckedMcpServer, options: Partial<ProbeOptions> = {}) {
  return listServerTools(server, { environment, cwd: tmpdir(), ...options })
}

function stdio(mode: string, ...more: string[]): CheckedMcpServer {
  return { type: 'stdio', command: 'node', args: [program, mode, ...more], env: { SERVER_TOKEN: secret } }
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  const port = await listening(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}/mcp`
}

/** An answer of an HTTP server that is no MCP server, or no good one. */
function always(status: number, type: string, body: string): RequestListener {
  return (_, response) => response.writeHead(status, { 'content-type': type }).end(body)
}

const annotations = { readOnlyHint: true }

test('a stdio server lists its tools, all pages of them', async () => {
  expect(await list(stdio('pages'))).toEqual([
    { name: 'one', description: 'Tool one.', annotations },
    { name: 'two', description: 'Tool two.', annotations },
    { name: 'three', description: 'Tool three.', annotations },
  ])
})

test('what no CLI minds in a tool is not minded', async () => {
  expect((await list(stdio('strange tools'))).map(({ name }) => name)).toEqual([
    'lists',
    'takes anything',
    'twice',
    'twice',
  ])
})

test('a server without tools has none', async () => {
  expect(await list(stdio('without tools'))).toEqual([])
})

test('a stdio server has the environment that it was given, its own variables, and nothing of the host', async () => {
  const names = (await list(stdio('environment'))).map(({ name }) => name)
  expect(names).toEqual(['COXSWAIN_TURN', 'LANG', 'PATH', 'SERVER_TOKEN'])
})

test('an HTTP server lists its tools to whom its headers let in', async () => {
  const bridge = await startBridge([
    {
      name: 'hello',
      description: 'Says hello.',
      input: { type: 'object' },
      annotations,
      execute: () => 'Hello.',
    },
  ])
  const session = bridge.openSession()
  const server: CheckedMcpServer = { type: 'http', url: session.mcpUrl, headers: bearer(session) }
  expect(await list(server)).toEqual([{ name: 'hello', description: 'Says hello.', annotations }])
})

describe('a server that is no good is said to be so, without what it was given', () => {
  const nobody = 'http://127.0.0.1:10/mcp'
  const json = 'application/json'

  test.each<[string, () => CheckedMcpServer | Promise<CheckedMcpServer>, string]>([
    [
      'that ends',
      () => stdio('crash'),
      'its process "node" ended (exit code 3) before it answered initialize',
    ],
    [
      'that prints something else',
      () => stdio('garbage'),
      'it did not answer initialize within 1500 ms, but printed what is no MCP',
    ],
    ['that says nothing', () => stdio('silent'), 'it did not answer initialize within 1500 ms'],
    ['from the future', () => stdio('future'), 'it speaks a version of MCP that is not known here'],
    ['with an error', () => stdio('error'), 'it answered tools/list with the error -32603'],
    [
      'with another form',
      () => stdio('malformed'),
      'it does not speak MCP: its answer to tools/list is of another form',
    ],
    ['with a tool without a name', () => stdio('nameless'), 'its tool 2 has no name'],
    [
      'with an odd tool',
      () => stdio('odd tool'),
      'its tool "odd" is not as MCP has tools: annotations.readOnlyHint: expected boolean, received string',
    ],
    [
      'with a tool that takes no object',
      () => stdio('odd input'),
      'its tool "odd" is not as MCP has tools: inputSchema.type: expected "object"',
    ],
    [
      'that is not there',
      () => ({ type: 'stdio', command: 'no-such-server', env: { SERVER_TOKEN: secret } }),
      'its command "no-such-server" could not be started: ENOENT',
    ],
    ['that is down', () => at(nobody), `it cannot be reached at ${new URL(nobody).host}: ECONNREFUSED`],
    [
      'on a port that fetch refuses',
      () => at('http://127.0.0.1:1/mcp'),
      "it cannot be asked: Node's fetch refuses the port of 127.0.0.1:1",
    ],
    [
      'that knows nobody',
      async () => at(await serve(always(401, json, `{"error":"${secret}"}`))),
      'it answered initialize with 401: its `headers` have no credential, or one that it does not accept',
    ],
    [
      'that is a page',
      async () => at(await serve(always(200, 'text/html', '<html>'))),
      'it does not speak MCP: its answer to initialize is neither JSON nor an event stream',
    ],
    [
      'with other JSON',
      async () => at(await serve(always(200, json, '{"a":1}'))),
      'it does not speak MCP: its answer to initialize is of another form',
    ],
    [
      'with no JSON',
      async () => at(await serve(always(200, json, secret))),
      'it does not speak MCP: its answer to initialize is of another form',
    ],
    [
      'that is elsewhere',
      async () => at(await serve(always(404, json, '{}'))),
      'it answered initialize with 404: there is no MCP at its url',
    ],
    [
      'that has moved',
      async () => at(await serve(always(307, json, '{}'))),
      'it answered initialize with 307: it is somewhere else now, and nothing is sent there; give its own url',
    ],
    [
      'that is broken',
      async () => at(await serve(always(500, json, '{}'))),
      'it answered initialize with 500',
    ],
    [
      'that keeps silent',
      async () => at(await serve(() => {})),
      'it did not answer initialize within 1500 ms',
    ],
    [
      'with a header that is none',
      () => ({ type: 'http', url: nobody, headers: { authorization: `${secret}\n${secret}` } }),
      'it cannot be asked: check its url and headers',
    ],
  ])('%s', async (_, server, message) => {
    const failure = await list(await server(), { timeoutMs: 1_500 }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'mcp_unavailable', message })
    expect(JSON.stringify(failure) + String(failure)).not.toContain(secret)
  })

  function at(url: string): CheckedMcpServer {
    return { type: 'http', url, headers: { authorization: `Bearer ${secret}` } }
  }
})

test('an aborted signal ends the asking', async () => {
  const stop = new AbortController()
  const asking = list(stdio('silent'), { signal: stop.signal })
  setImmediate(() => stop.abort())
  await expect(asking).rejects.toMatchObject({ code: 'aborted' })
  await expect(list(stdio('pages'), { signal: stop.signal })).rejects.toMatchObject({ code: 'aborted' })
})

test.runIf(process.platform === 'linux')(
  'nothing of a stdio server is left, whatever it started and however it clings',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coxswain-probe-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'pids')
    expect(await list(stdio('stubborn', file))).toHaveLength(3)
    const pids = readFileSync(file, 'utf8').split(' ').map(Number)
    expect(pids).toHaveLength(2)
    expect(await Promise.all(pids.map((pid) => gone(pid)))).toEqual([true, true])
  },
)
