// Stands in for Cursor's CLI: see cursor-stand-in.ts, which starts it as a process of its own. Plain JavaScript with nothing but
// Node's own modules, so that it runs from the sources and from the built package alike.
//
// argv: the script as JSON ({ replies, failure, paceMs }), then the CLI's own arguments.
import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { serveAcp } from './cursor-stand-in-acp.js'
import { readFlags } from './cursor-stand-in-flags.js'
import { approvedServer, callServerTool } from './cursor-stand-in-mcp.js'
import { permissionsOf } from './cursor-stand-in-permissions.js'

const version = '2026.09.15-standin'
const models = ['auto', 'skiff-1', 'skiff-1-high']
const script = JSON.parse(process.argv[2] ?? '{}')
const flags = readFlags(process.argv.slice(3), fail)
const configDirectory = process.env.CURSOR_CONFIG_DIR ?? join(homedir(), '.cursor')
const { isAllowed, isServerToolAllowed } = permissionsOf(configDirectory, flags)
const findServer = (name) => approvedServer(configDirectory, name, process.cwd())
let running

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.on(signal, () => {
    running?.kill('SIGKILL')
    fail('Aborting operation...', code)
  })
}

if (flags.version) {
  process.stdout.write(`${version}\n`)
} else if (flags.acp) {
  await serveAcp({
    script,
    model: flags.model ?? 'default[]',
    runShell,
    isAllowed,
    isServerToolAllowed,
    findServer,
    pieces,
    print,
  })
} else {
  await turn()
}

async function turn() {
  if (!flags.print || flags.format !== 'stream-json')
    fail('The stand-in only does --print --output-format stream-json.')
  if (flags.model && !models.includes(flags.model)) {
    fail(`Cannot use this model: ${flags.model}. Available models: ${models.join(', ')}`)
  }
  if (process.env.CURSOR_API_KEY === '')
    fail('\u001b[33m\u26a0 Warning: The provided API key is invalid.\u001b[39m')
  if (script.failure === 'auth') {
    fail(
      "Error: Authentication required. Please run 'agent login' first, or set CURSOR_API_KEY environment variable.",
    )
  }
  if (!flags.trust && !flags.force) {
    fail('\u26a0 Workspace Trust Required\n\nPass --trust, --yolo, or -f if you trust this directory.')
  }
  if (flags.resume !== undefined && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(flags.resume)) {
    fail(
      `Failed to claim persistent session for chat "${flags.resume}": Persistent-session chat ID must be a UUID`,
    )
  }
  const prompt = await readAll(process.stdin)
  if (prompt.trim() === '') fail('Error: No prompt provided for print mode')
  await converse(prompt)
}

async function converse(prompt) {
  const chat = openChat(prompt)
  await print({
    type: 'system',
    subtype: 'init',
    apiKeySource: process.env.CURSOR_API_KEY ? 'env' : 'login',
    cwd: process.cwd(),
    session_id: chat.id,
    model: flags.model === undefined || flags.model === 'auto' ? 'Auto' : flags.model,
    permissionMode: 'default',
  })
  await print({ type: 'user', message: message('user', prompt), session_id: chat.id })
  if (script.failure === 'usage-limit') fail("ActionRequiredError: You've hit your usage limit.")
  const segments = []
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 1000 * chat.before, cacheWriteTokens: 0 }
  const requestId = randomUUID()
  for (const [index, reply] of script.replies.entries()) {
    const step = { session_id: chat.id, model_call_id: `${requestId}-${index}-stnd` }
    const calls = reply.toolCalls ?? []
    if (reply.thinking) await think(reply.thinking, chat.id)
    if (reply.text) await say(reply.text, step, calls.length === 0, segments)
    await Promise.all(await startCalls(calls, step))
    usage.inputTokens += reply.usage?.inputTokens ?? 100
    usage.outputTokens += reply.usage?.outputTokens ?? 20
  }
  await print({
    type: 'result',
    subtype: 'success',
    duration_ms: Math.round(performance.now()),
    duration_api_ms: Math.round(performance.now()),
    is_error: false,
    result: segments.join(''),
    session_id: chat.id,
    request_id: requestId,
    usage,
  })
  if (script.failure === 'lingers') setInterval(() => {}, 60_000)
}

async function think(thinking, session) {
  for (const text of pieces(thinking)) {
    await print({ type: 'thinking', subtype: 'delta', text, session_id: session, timestamp_ms: Date.now() })
  }
  await print({ type: 'thinking', subtype: 'completed', session_id: session, timestamp_ms: Date.now() })
}

/** Fragments and then the whole once more; without partial output only the whole. */
async function say(reply, step, isLast, segments) {
  const parts = pieces(reply)
  const whole = parts.join('')
  const { session_id } = step
  const fragment = (text) => {
    if (!flags.partial) return undefined
    return print({
      type: 'assistant',
      message: message('assistant', text),
      session_id,
      timestamp_ms: Date.now(),
    })
  }
  if (isLast && (script.failure === 'cut' || script.failure === 'retry')) {
    for (const part of parts.slice(0, Math.ceil(parts.length / 2))) await fragment(part)
    for (const attempt of script.failure === 'cut' ? [1, 2, 3] : [1]) await reconnect(session_id, attempt)
    if (script.failure === 'cut') fail('RetriableError: [unavailable] Error')
  }
  for (const part of parts) await fragment(part)
  const record = { type: 'assistant', message: message('assistant', whole), session_id }
  await print(isLast ? record : { ...record, model_call_id: step.model_call_id, timestamp_ms: Date.now() })
  segments.push(whole)
}

async function reconnect(session_id, attempt) {
  const now = () => ({ session_id, timestamp_ms: Date.now() })
  await print({ type: 'connection', subtype: 'reconnecting', ...now(), attempt })
  await print({ type: 'retry', subtype: 'starting', ...now(), attempt, is_resume: true })
  await print({ type: 'retry', subtype: 'resuming', ...now(), checkpoint_turn_count: 1, attempt })
  await print({ type: 'connection', subtype: 'reconnected', ...now() })
}

/** All of them start before any ends. The promises are their ends. */
async function startCalls(calls, step) {
  const ends = []
  for (const { name, input } of calls) {
    if (name.includes('/')) {
      ends.push(await startServerCall(name, input, step))
      continue
    }
    const callId = `call_${randomUUID()}\nfc_${randomUUID()}`
    const args = { command: input.command, workingDirectory: '', timeout: 30_000, toolCallId: callId }
    const record = (subtype, body) =>
      print({
        type: 'tool_call',
        subtype,
        call_id: callId,
        tool_call: { shellToolCall: body, hookAdditionalContexts: [], toolCallId: callId },
        ...step,
        timestamp_ms: Date.now(),
      })
    await record('started', { args })
    ends.push(
      isAllowed(input.command)
        ? runShell(input.command).then((result) => record('completed', { args, result }))
        : record('completed', {
            result: { rejected: { command: input.command, workingDirectory: '', reason: '' } },
          }),
    )
  }
  return ends
}

/** A call of 'server/tool'. No recording has one: this is how public notes have it. */
async function startServerCall(called, input, step) {
  const [server, toolName] = called.split('/')
  const callId = `tool_${randomUUID()}`
  const args = {
    name: `${server}-${toolName}`,
    args: input,
    toolCallId: callId,
    providerIdentifier: server,
    toolName,
  }
  const record = (subtype, body) =>
    print({
      type: 'tool_call',
      subtype,
      call_id: callId,
      tool_call: { mcpToolCall: body, hookAdditionalContexts: [], toolCallId: callId },
      ...step,
      timestamp_ms: Date.now(),
    })
  await record('started', { args })
  return serverToolResult(server, toolName, input).then((result) => record('completed', { args, result }))
}

async function serverToolResult(server, tool, input) {
  if (!isServerToolAllowed(server, tool)) return { rejected: { reason: 'not allowed' } }
  const { error, texts, isError } = await callServerTool(findServer(server), server, tool, input)
  if (error !== undefined) return { error: { error } }
  return { success: { content: texts.map((text) => ({ text: { text } })), isError } }
}

function runShell(command, started = () => {}) {
  return new Promise((resolve) => {
    const began = performance.now()
    const child = spawn('/bin/sh', ['-c', command], {
      env: { ...process.env, CURSOR_AGENT: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running = child
    started(child)
    let stdout = ''
    let stderr = ''
    let interleavedOutput = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
      interleavedOutput += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text
      interleavedOutput += text
    })
    child.on('close', (exitCode, signal) => {
      const executionTime = Math.round(performance.now() - began)
      const body = { command, workingDirectory: '', exitCode, signal: signal ?? '', stdout, stderr }
      const outcome = exitCode === 0 ? 'success' : 'failure'
      resolve({ [outcome]: { ...body, executionTime, interleavedOutput }, isBackground: false })
    })
  })
}

/** An id that is not known begins a new chat under that id, without a word. */
function openChat(prompt) {
  const id = flags.resume ?? randomUUID()
  const folder = createHash('md5').update(process.cwd()).digest('hex')
  const file = join(configDirectory, 'chats', folder, id, 'store.db')
  const prompts = readJson(file) ?? []
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify([...prompts, prompt]))
  return { id, before: prompts.length }
}

function message(role, text) {
  return { role, content: [{ type: 'text', text }] }
}

/** Words with the space before them; a list is taken as it is. */
function pieces(text) {
  return typeof text === 'string' ? (text.match(/\s*\S+|\s+$/g) ?? []) : text
}

async function print(record) {
  if (script.paceMs > 0) await new Promise((resolve) => setTimeout(resolve, script.paceMs))
  if (!process.stdout.write(`${JSON.stringify(record)}\n`)) {
    await new Promise((resolve) => process.stdout.once('drain', resolve))
  }
}

async function readAll(stream) {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) text += chunk
  return text
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function fail(words, exitCode = 1) {
  process.stderr.write(`${words}\n`)
  process.exit(exitCode)
}
