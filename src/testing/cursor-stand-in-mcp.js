// The part of the stand-in that calls tools of MCP servers: those of the private mcp.json that are approved, or those that an ACP
// client hands over. The least that a client can be, with nothing but Node's own modules.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

/** Calls one tool, in a conversation of its own. */
export async function callServerTool(server, name, tool, input) {
  if (!server) return { error: `MCP server ${name} is not there, or not approved` }
  const peer = server.url === undefined ? overStdio(server) : overHttp(server)
  try {
    const clientInfo = { name: 'cursor-stand-in', version: '1' }
    await peer.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    await peer.tell('notifications/initialized')
    const { content = [], isError = false } = await peer.ask('tools/call', { name: tool, arguments: input })
    return { texts: content.map(({ text }) => text), isError }
  } catch (error) {
    return { error: error.message }
  } finally {
    peer.close()
  }
}

/** The server of that name in mcp.json; undefined where there is none, or nobody approved it. */
export function approvedServer(configDirectory, name, cwd) {
  const server = readJson(join(configDirectory, 'mcp.json'))?.mcpServers?.[name]
  if (!server) return undefined
  for (let path = cwd; ; path = dirname(path)) {
    const hash = createHash('sha256').update(JSON.stringify({ path, server })).digest('hex')
    const slug = path.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')
    const data = process.env.CURSOR_DATA_DIR ?? configDirectory
    const approvals = readJson(join(data, 'projects', slug, 'mcp-approvals.json')) ?? []
    if (approvals.includes(`${name}-${hash.slice(0, 16)}`)) return server
    if (dirname(path) === path) return undefined
  }
}

/** A server as `session/new` has it, in the form of mcp.json. */
export function serverOfAcp({ url, headers = [], command, args, env = [] }) {
  const record = (pairs) => Object.fromEntries(pairs.map(({ name, value }) => [name, value]))
  return url === undefined ? { command, args, env: record(env) } : { url, headers: record(headers) }
}

function overHttp({ url, headers }) {
  let session = {}
  let ids = 0
  const post = async (message) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...session,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
    const id = response.headers.get('mcp-session-id')
    if (id) session = { 'mcp-session-id': id }
    const text = await response.text()
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    if (!response.headers.get('content-type')?.includes('text/event-stream'))
      return text ? [JSON.parse(text)] : []
    return text.split('\n').flatMap((line) => (line.startsWith('data:') ? [JSON.parse(line.slice(5))] : []))
  }
  return {
    async ask(method, params) {
      const id = ids++
      return resultOf((await post({ id, method, params })).find((answer) => answer.id === id))
    },
    tell: (method) => post({ method }),
    close: () => {},
  }
}

function overStdio({ command, args = [], env }) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map()
  let ids = 0
  const gone = new Promise((resolve) => {
    child.on('error', (error) => resolve({ error }))
    child.on('close', () => resolve({ error: { message: 'the server has ended' } }))
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line)
    waiting.get(answer.id)?.(answer)
  })
  child.stdin.on('error', () => {})
  const write = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  return {
    async ask(method, params) {
      const id = ids++
      const answer = new Promise((resolve) => waiting.set(id, resolve))
      write({ id, method, params })
      return resultOf(await Promise.race([answer, gone]))
    },
    tell: (method) => write({ method }),
    close: () => child.kill(),
  }
}

function resultOf(answer) {
  if (answer?.result) return answer.result
  throw new Error(answer?.error?.message ?? 'the server gave no answer')
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
