import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect as connectSocket, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { build } from 'tsup'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type BridgeSession, type BridgeTool, startToolBridge } from '../../src/bridge.ts'
import { bearer, callByHttp, connect, startBridge, transportTo } from './clients.ts'

/** A tool that never answers, and a promise of the signal of its first call. */
function endless(name = 'endless'): { tool: BridgeTool; called: Promise<AbortSignal> } {
  let call: (signal: AbortSignal) => void = () => {}
  const called = new Promise<AbortSignal>((resolve) => {
    call = resolve
  })
  const execute: BridgeTool['execute'] = (_, { signal }) => new Promise(() => call(signal))
  return {
    tool: { name, description: 'Never answers.', input: { type: 'object' }, execute },
    called,
  }
}

/** All of a call but its last byte, and what comes back until the connection is closed. */
function halfRequest(session: BridgeSession): { socket: Socket; answer: Promise<string> } {
  const { host, pathname, port } = new URL(session.url)
  const socket = connectSocket(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const headers = [
    `Host: ${host}`,
    `Authorization: Bearer ${session.token}`,
    'Content-Length: 2',
    'Connection: close',
  ]
  socket.write(`POST ${pathname}/tools/custom/named HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n{`)
  return { socket, answer: once(socket, 'close').then(() => text) }
}

const named: BridgeTool = {
  name: 'named',
  description: 'Says whose session it is.',
  input: { type: 'object' },
  execute: (_, { sessionId }) => sessionId,
}

describe('a call that takes too long', () => {
  const message =
    'The tool bridge ended the call of the tool "endless" in the session "mine": no answer within its limit of 80 ms.'

  test('is an error that names the layer, the tool, the session and the limit; the function is told', async () => {
    const { tool, called } = endless()
    const bridge = await startBridge([tool], { callTimeoutMs: 80 })
    const client = await connect(bridge.openSession({ sessionId: 'mine' }))
    const result = await client.callTool({ name: 'endless', arguments: {} })
    expect(result).toEqual({ isError: true, content: [{ type: 'text', text: message }] })
    const { aborted, reason } = await called
    expect({ aborted, code: reason.code, message: reason.message }).toEqual({
      aborted: true,
      code: 'timeout',
      message,
    })
    expect(bridge.logged).toEqual([`tool bridge: ${message}`])
  })

  test('is a 504 to a shell', async () => {
    const bridge = await startBridge([endless().tool], { callTimeoutMs: 80 })
    expect(await callByHttp(bridge.openSession({ sessionId: 'mine' }), 'endless', '{}')).toEqual({
      status: 504,
      body: { isError: true, content: [{ type: 'text', text: message }] },
    })
  })

  test('does no harm when it fails afterwards', async () => {
    const failing: BridgeTool = {
      ...named,
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('Too late.'))),
        ),
    }
    const bridge = await startBridge([failing], { callTimeoutMs: 80 })
    expect(await callByHttp(bridge.openSession(), 'named', '{}')).toMatchObject({ status: 504 })
    expect(bridge.logged).toHaveLength(1)
  })
})

test('a client that cancels ends its call, and its session goes on', async () => {
  const { tool, called } = endless()
  const bridge = await startBridge([tool, named])
  const client = await connect(bridge.openSession({ sessionId: 'mine' }))
  const cancel = new AbortController()
  const calling = client.callTool({ name: 'endless', arguments: {} }, undefined, { signal: cancel.signal })
  const signal = await called
  const aborted = once(signal, 'abort')
  cancel.abort()
  await expect(calling).rejects.toThrow()
  await aborted
  expect((await client.callTool({ name: 'named', arguments: {} })).content).toEqual([
    { type: 'text', text: 'mine' },
  ])
})

describe('the end of a session', () => {
  test('answers its open calls, aborts their signals and refuses the next', async () => {
    const { tool, called } = endless()
    const byShell = endless('by_shell')
    const bridge = await startBridge([tool, byShell.tool, named])
    const session = bridge.openSession({ sessionId: 'mine' })
    const other = bridge.openSession({ sessionId: 'other' })
    const client = await connect(session)
    const calling = client.callTool({ name: 'endless', arguments: {} })
    const shell = callByHttp(session, 'by_shell', '{}')
    const signals = [await called, await byShell.called]
    await session.close()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
    const said =
      'The tool bridge ended the call of the tool "endless" in the session "mine": the session is over.'
    expect(await calling).toEqual({ isError: true, content: [{ type: 'text', text: said }] })
    expect(await shell).toMatchObject({ status: 503 })
    await expect(client.callTool({ name: 'named', arguments: {} })).rejects.toMatchObject({ code: 401 })
    expect(await callByHttp(other, 'named', '{}')).toMatchObject({ status: 200 })
  })

  test('by its lifetime is the same', async () => {
    const { tool, called } = endless()
    const bridge = await startBridge([tool])
    const client = await connect(bridge.openSession({ lifetimeMs: 1_000 }))
    const calling = client.callTool({ name: 'endless', arguments: {} })
    await once(await called, 'abort')
    expect(await calling).toMatchObject({ isError: true })
  })

  test('refuses what was still being sent', async () => {
    let called = false
    const bridge = await startBridge([{ ...named, execute: () => (called = true) }])
    const session = bridge.openSession()
    const { socket, answer } = halfRequest(session)
    // The first half is there when a whole request behind it is answered.
    expect(await callByHttp(bridge.openSession(), 'named', '{}')).toMatchObject({ status: 200 })
    called = false
    await session.close()
    socket.write('}')
    expect(await answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(called).toBe(false)
  })

  test('comes with leaving the block that uses it', async () => {
    const bridge = await startBridge([named])
    let left: { url: string; token: string }
    {
      await using session = bridge.openSession()
      expect(await callByHttp(session, 'named', '{}')).toMatchObject({ status: 200 })
      left = session
    }
    expect((await fetch(`${left.url}/tools/custom`, { headers: bearer(left) })).status).toBe(401)
  })
})

describe('a session', () => {
  test('has the tools that it was opened with and no other', async () => {
    const tools = Array.from({ length: 20 }, (_, index) => ({ ...named, name: `tool_${index}` }))
    const bridge = await startBridge(tools)
    const fourteen = tools.slice(3, 17).map(({ name }) => name)
    const session = bridge.openSession({ tools: fourteen })
    const client = await connect(session)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(fourteen)
    await expect(client.callTool({ name: 'tool_2', arguments: {} })).rejects.toThrow(
      /no tool "tool_2" in this session/,
    )
    expect(await callByHttp(session, 'tool_2', '{}')).toMatchObject({ status: 404 })
    const refusal = `tool bridge: refused a call of a tool that the session "${session.sessionId}" does not have.`
    expect(bridge.logged).toEqual([refusal, refusal])
    expect(await callByHttp(session, 'tool_3', '{}')).toMatchObject({ status: 200 })
    const none = await connect(bridge.openSession({ tools: [] }))
    expect((await none.listTools()).tools).toEqual([])
  })

  test('has an address, a token and variables that go together', async () => {
    const bridge = await startBridge([named])
    const { url, mcpUrl, token, variables } = bridge.openSession({ sessionId: 'mine' })
    expect(url).toBe(`${bridge.url}/s/mine`)
    expect(mcpUrl).toBe(`${bridge.url}/s/mine/mcp`)
    expect(variables).toEqual({
      MCP_API_URL: url,
      MCP_MCP: `${url}/tools/mcp`,
      MCP_CUSTOM: `${url}/tools/custom`,
      MCP_VIRTUAL: `${url}/tools/virtual`,
      MCP_API_TOKEN: token,
      MCP_AUTH: `Authorization: Bearer ${token}`,
      MCP_SESSION_ID: 'mine',
    })
  })

  test('is found by an MCP client at $MCP_MCP too', async () => {
    const bridge = await startBridge([named])
    const session = bridge.openSession()
    const client = await connect({ ...session, mcpUrl: session.variables.MCP_MCP ?? '' })
    expect((await client.listTools()).tools).toHaveLength(1)
  })

  test.each([
    [{ sessionId: '../x' }, /goes into an address/],
    [{ sessionId: '' }, /goes into an address/],
    [{ sessionId: 'a\r\nb' }, /goes into an address/],
    [{ sessionId: 'open' }, /open already/],
    [{ tools: ['nmaed'] }, /has no tool "nmaed"/],
    [{ lifetimeMs: 0 }, /lifetimeMs is no number of milliseconds/],
    [{ lifetimeMs: Number.NaN }, /lifetimeMs is no number of milliseconds/],
  ])('is not opened with %j', async (options, message) => {
    const bridge = await startBridge([named])
    bridge.openSession({ sessionId: 'open' })
    expect(() => bridge.openSession(options)).toThrow(message)
  })

  test('takes as many MCP clients as come, each with its own answers', async () => {
    const bridge = await startBridge([named])
    const session = bridge.openSession({ sessionId: 'mine' })
    const clients = await Promise.all(Array.from({ length: 20 }, () => connect(session)))
    const answers = await Promise.all(
      clients.map((client) => client.callTool({ name: 'named', arguments: {} })),
    )
    expect(answers.map(({ content }) => content)).toEqual(answers.map(() => [{ type: 'text', text: 'mine' }]))
  })

  test('forgets an MCP client that says goodbye', async () => {
    const bridge = await startBridge([named])
    const session = bridge.openSession()
    const transport = transportTo(session)
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(transport)
    const headers = {
      ...bearer(session),
      'mcp-session-id': transport.sessionId ?? '',
      accept: 'text/event-stream',
    }
    const second = await fetch(session.mcpUrl, { headers })
    // The client has the one stream of its session open already.
    expect(second.status).toBe(409)
    await transport.terminateSession()
    expect((await fetch(session.mcpUrl, { headers })).status).toBe(404)
    await client.close()
  })
})

describe('a bridge that is closed', () => {
  test('ends every call and opens no session any more', async () => {
    const { tool, called } = endless()
    const bridge = await startToolBridge({ tools: [tool] })
    const session = bridge.openSession()
    const client = await connect(session)
    const calling = client.callTool({ name: 'endless', arguments: {} })
    const signal = await called
    await Promise.all([bridge.close(), bridge.close()])
    expect(signal.aborted).toBe(true)
    expect(await calling).toMatchObject({ isError: true })
    expect(() => bridge.openSession()).toThrow('The tool bridge is closed.')
    await expect(fetch(session.url)).rejects.toThrow()
  })

  test('lets go of who is still sending', async () => {
    const bridge = await startBridge([named])
    const { answer } = halfRequest(bridge.openSession())
    expect(await callByHttp(bridge.openSession(), 'named', '{}')).toMatchObject({ status: 200 })
    await bridge.close()
    expect(await answer).toBe('')
  })

  test('leaves nothing that keeps its process alive', async () => {
    // Inside the repository, so that the built file finds its dependencies.
    const outDir = fileURLToPath(new URL(`../../.cache/closed-bridge-${process.pid}/`, import.meta.url))
    onTestFinished(() => rm(outDir, { recursive: true, force: true }))
    const program = fileURLToPath(new URL('programs/closed-bridge.ts', import.meta.url))
    const entry = { program }
    await build({ config: false, entry, outDir, format: 'esm', target: 'node20', silent: true })
    const { stdout } = await promisify(execFile)(process.execPath, [`${outDir}program.js`], {
      timeout: 15_000,
    })
    expect(stdout).toBe('true,false\nnothing\n')
  })
})
