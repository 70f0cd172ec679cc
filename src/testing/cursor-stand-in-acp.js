// The part of the stand-in that speaks ACP: `agent acp`. What it says in initialize and session/new was recorded from the real one;
// how the real one tells of its tools is not known, so that here is plain ACP.
import { randomUUID } from 'node:crypto'
import { callServerTool, serverOfAcp } from './cursor-stand-in-mcp.js'

const cancelled = Symbol('cancelled')

/** The client's answers are not looked at closer than the real one has to. */
export async function serveAcp(surroundings) {
  const { script, model, runShell, isAllowed, pieces, print } = surroundings
  const waiting = new Map()
  let servers = []
  let isSignedIn = false
  let session
  let prompt
  let asked = 0

  const send = (record) => print({ jsonrpc: '2.0', ...record })
  const update = (body) => send({ method: 'session/update', params: { sessionId: session, update: body } })

  /** Ids count from 0. Resolves with the answer, or when the prompt is cancelled. */
  async function ask(method, params) {
    const id = asked++
    const answer = new Promise((resolve) => waiting.set(id, resolve))
    await send({ id, method, params })
    return Promise.race([answer, prompt.stopped])
  }

  const methods = {
    initialize: () => ({
      protocolVersion: 1,
      agentCapabilities: {
        loadSession: true,
        mcpCapabilities: { http: true, sse: true },
        promptCapabilities: { audio: false, embeddedContext: false, image: true },
        sessionCapabilities: { list: {} },
      },
      authMethods: [{ id: 'cursor_login', name: 'Cursor Login' }],
    }),
    authenticate: () => {
      if (script.failure === 'auth') throw fault(-32000, 'Authentication required')
      isSignedIn = true
      return {}
    },
    'session/new': ({ mcpServers }) => {
      if (!isSignedIn) throw fault(-32000, 'Authentication required')
      if (!Array.isArray(mcpServers)) throw fault(-32603, 'Internal error')
      servers = mcpServers
      session = randomUUID()
      const modes = ['agent', 'plan', 'ask'].map((id) => ({ id, name: id }))
      return {
        sessionId: session,
        modes: { currentModeId: 'agent', availableModes: modes },
        models: {
          currentModelId: model,
          availableModels: [
            { modelId: 'default[]', name: 'Auto' },
            { modelId: 'skiff-1[effort=high]', name: 'Skiff' },
          ],
        },
        configOptions: [],
      }
    },
    'session/load': ({ sessionId }) => {
      throw fault(-32602, `Session "${sessionId}" not found`)
    },
    'session/set_model': () => ({}),
    'session/set_mode': () => ({}),
    'session/prompt': converse,
  }

  async function converse() {
    if (script.failure === 'usage-limit')
      throw fault(-32603, "ActionRequiredError: You've hit your usage limit.")
    const stop = {}
    stop.stopped = new Promise((resolve) => {
      stop.now = () => {
        stop.isStopped = true
        stop.child?.kill('SIGKILL')
        resolve(cancelled)
      }
    })
    prompt = stop
    for (const [index, { thinking, text, toolCalls = [] }] of script.replies.entries()) {
      for (const part of pieces(thinking ?? '')) await say('agent_thought_chunk', part)
      for (const part of pieces(text ?? '')) await say('agent_message_chunk', part)
      await Promise.all(toolCalls.map((call, place) => callTool(call, `tool_${index}_${place}`)))
      if (prompt.isStopped) return { stopReason: 'cancelled' }
    }
    return { stopReason: 'end_turn' }
  }

  async function say(sessionUpdate, text) {
    if (!prompt.isStopped) await update({ sessionUpdate, content: { type: 'text', text } })
  }

  async function callTool({ name, input }, toolCallId) {
    if (prompt.isStopped) return
    if (name.includes('/')) {
      await callTheirTool(name, input, toolCallId)
      return
    }
    if (name !== 'shell') {
      await extend(name, { toolCallId, ...input })
      return
    }
    const call = { toolCallId, title: `\`${input.command}\``, kind: 'execute', rawInput: input }
    await update({ sessionUpdate: 'tool_call', status: 'pending', ...call })
    const end = (status, text) =>
      update({
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status,
        content: [{ type: 'content', content: { type: 'text', text } }],
      })
    if (!isAllowed(input.command)) {
      const options = ['allow-once', 'allow-always', 'reject-once'].map((optionId) => {
        return { optionId, name: optionId, kind: optionId.replace('-', '_') }
      })
      const answer = await ask('session/request_permission', { sessionId: session, toolCall: call, options })
      if (answer === cancelled) return
      if (!/^allow/.test(answer?.outcome?.optionId ?? '')) return end('failed', 'The user rejected it.')
    }
    await update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' })
    const { success, failure } = await runShell(input.command, (child) => {
      prompt.child = child
    })
    if (prompt.isStopped) return
    const { interleavedOutput } = success ?? failure
    await end(success ? 'completed' : 'failed', interleavedOutput)
  }

  /** Whether the real one takes the servers of `session/new` is not known: this one takes them, and those of mcp.json. */
  async function callTheirTool(called, input, toolCallId) {
    const [provider, toolName] = called.split('/')
    const rawInput = { providerIdentifier: provider, toolName, args: input }
    await update({ sessionUpdate: 'tool_call', status: 'pending', toolCallId, title: called, rawInput })
    const end = (status, text) => {
      const content = [{ type: 'content', content: { type: 'text', text } }]
      return update({ sessionUpdate: 'tool_call_update', toolCallId, status, rawInput, content })
    }
    if (!surroundings.isServerToolAllowed(provider, toolName)) return end('failed', 'not allowed')
    const given = servers.find((server) => server.name === provider)
    const server = given ? serverOfAcp(given) : surroundings.findServer(provider)
    const { error, texts, isError } = await callServerTool(server, provider, toolName, input)
    await end(error !== undefined || isError ? 'failed' : 'completed', error ?? texts.join('\n'))
  }

  /** Cursor's own: 'askQuestion' and 'createPlan' wait for an answer, which the agent then repeats; the others only tell. */
  async function extend(name, params) {
    const method = `cursor/${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
    if (name !== 'askQuestion' && name !== 'createPlan') return send({ method, params })
    const answer = await ask(method, params)
    if (answer !== cancelled) await say('agent_message_chunk', JSON.stringify(answer))
  }

  async function serve({ id, method, params, result }) {
    if (method === undefined) {
      waiting.get(id)?.(result)
      waiting.delete(id)
      return
    }
    if (method === 'session/cancel') prompt?.now()
    if (id === undefined) return
    try {
      if (!Object.hasOwn(methods, method)) throw fault(-32601, `"Method not found": ${method}`)
      const answer = await methods[method](params ?? {})
      await send({ id, result: answer })
      if (method === 'session/new') {
        await update({ sessionUpdate: 'available_commands_update', availableCommands: [] })
      }
    } catch (error) {
      await send({ id, error: { code: error.code ?? -32603, message: error.message } })
    }
  }

  let rest = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) void serve(JSON.parse(line))
  }
  if (script.failure !== 'lingers') process.exit(0)
}

function fault(code, message) {
  return Object.assign(new Error(message), { code })
}
