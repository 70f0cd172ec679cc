// A browser page that talks with coding-agent CLIs. See README.md.
//
//   node server.mjs [--real] [--port NUMBER] [--cwd DIRECTORY] [--binary ADAPTER=FILE]...
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { adapters, isAgentError, shutdownAll } from 'coxswain'
import { startModelServer } from 'coxswain/testing'
import { Chat } from './chat.mjs'
import { demoModel, suggestions } from './demo-model.mjs'
import { contentSecurityPolicy, createGuard } from './guard.mjs'

const { values } = parseArgs({
  options: {
    /** The CLIs as they are on this machine, with the user's own account, in --cwd. */
    real: { type: 'boolean', default: false },
    port: { type: 'string', default: '0' },
    cwd: { type: 'string' },
    /** The CLI to drive; several for one are a command and its arguments. */
    binary: { type: 'string', multiple: true, default: [] },
  },
})

const page = await readFile(new URL('index.html', import.meta.url), 'utf8')
const policy = contentSecurityPolicy(page)
const guard = createGuard()
const chats = new Map()
const model = values.real ? undefined : await startModelServer({ scenario: demoModel() })
const demoFolder = values.real ? undefined : await mkdtemp(join(tmpdir(), 'coxswain-browser-chat-'))
if (demoFolder) {
  await mkdir(join(demoFolder, '.pi/extensions'), { recursive: true })
  const extension = new URL('pi-asks-first.ts', import.meta.url)
  await copyFile(extension, join(demoFolder, '.pi/extensions/asks-first.ts'))
}
const cwd = values.cwd ?? demoFolder ?? process.cwd()

/** The demo's model speaks no protocol of Cursor's: its CLI needs the user's own account. */
const offered = Object.values(adapters).filter(
  ({ capabilities }) => values.real || capabilities.endpoint.length > 0,
)

const server = createServer((request, response) => {
  serve(request, response).catch((error) => {
    const { message, code, hint } = error
    if (response.headersSent) response.destroy()
    else answer(response, isAgentError(error) ? 422 : 500, { message, code, hint })
  })
})
server.listen(Number(values.port), '127.0.0.1')
await once(server, 'listening')
const { port } = server.address()

async function serve(request, response) {
  const url = new URL(request.url, 'http://127.0.0.1')
  const refusal = guard.refusal(request, url, port)
  if (refusal !== undefined) return answer(response, 403, { message: refusal })
  const [, resource, id, action] = url.pathname.split('/')
  if (request.method === 'GET' && url.pathname === '/') return servePage(response)
  if (request.method === 'GET' && resource === 'about') {
    return answer(response, 200, {
      cwd,
      adapters: offered.map(({ id, title }) => ({ id, title })),
      suggestions: model ? suggestions : [],
    })
  }
  if (resource !== 'chats') return answer(response, 404, { message: 'There is no such thing here.' })
  if (request.method === 'POST' && id === undefined) return begin(await bodyOf(request), response)
  const chat = chats.get(id)
  if (!chat) return answer(response, 404, { message: 'This conversation is over.' })
  if (request.method === 'GET' && action === 'events') return watch(chat, request, response)
  if (request.method !== 'POST') return answer(response, 405, { message: 'POST it.' })
  const { text, interactionId, decision } = await bodyOf(request)
  switch (action) {
    case 'prompt':
      return answer(response, 202, chat.prompt(text) ?? {})
    case 'steer':
      return answer(response, 200, await chat.steer(text))
    case 'interrupt':
      return answer(response, 200, (await chat.interrupt()) ?? {})
    case 'answer':
      return answer(response, 200, (await chat.answer(interactionId, decision)) ?? {})
    case 'close':
      return answer(response, 200, (await chat.close()) ?? {})
    default:
      return answer(response, 404, { message: 'There is no such thing here.' })
  }
}

async function begin({ adapter: wanted }, response) {
  const adapter = offered.find((each) => each.id === wanted)
  if (!adapter) return answer(response, 422, { message: 'There is no such CLI here.' })
  const chat = await Chat.open({ adapter, cwd, ...binaryOf(adapter), ...demoOptions(adapter) })
  const id = randomUUID()
  chats.set(id, chat)
  chat.closed.then(() => chats.delete(id))
  answer(response, 201, { id, title: adapter.title })
}

function demoOptions({ id, capabilities }) {
  if (!model) return {}
  return {
    endpoint: model.endpointFor(capabilities.endpoint[0]),
    conversations: 'discard',
    // The extension that has pi ask lies in the demo's folder.
    ...(id === 'pi-cli' && { projectConfiguration: 'trust' }),
  }
}

function binaryOf({ id }) {
  const words = values.binary
    .filter((each) => each.startsWith(`${id}=`))
    .map((each) => each.slice(id.length + 1))
  return words.length > 0 ? { binary: words } : {}
}

function watch(chat, request, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write('retry: 1000\n\n')
  const known = Number(request.headers['last-event-id'] ?? -1)
  chat.watch(response, Number.isInteger(known) ? known : -1)
}

function servePage(response) {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  response.end(page)
}

function answer(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

async function bodyOf(request) {
  let text = ''
  request.setEncoding('utf8')
  for await (const chunk of request) {
    text += chunk
    if (text.length > 1_000_000) throw new Error('That is too long.')
  }
  return JSON.parse(text || '{}')
}

let isClosing = false
async function close() {
  if (isClosing) return
  isClosing = true
  server.close()
  await Promise.all([...chats.values()].map((chat) => chat.close()))
  server.closeAllConnections()
  await shutdownAll()
  await model?.close()
  if (demoFolder) await rm(demoFolder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, close)

// The token stands behind the #, which a browser sends to nobody.
console.log(`Open http://127.0.0.1:${port}/#${guard.token}`)
console.log(
  values.real
    ? `The CLIs work in ${cwd}, with your own accounts. Ctrl-C ends it.`
    : `A script plays the model: no account is needed. The CLIs work in ${cwd}. Ctrl-C ends it.`,
)
