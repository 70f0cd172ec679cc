import { startToolBridge } from '../../../src/bridge.ts'

/** A process that used a bridge in every way, closed it, and has nothing else to do. Says what then keeps it alive. */
const { promise: called, resolve: call } = (() => {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
})()
const bridge = await startToolBridge({
  tools: [
    {
      name: 'endless',
      description: 'Never answers.',
      input: { type: 'object' },
      execute: () => {
        call()
        return new Promise(() => {})
      },
    },
  ],
})
const session = bridge.openSession({ lifetimeMs: 3_600_000 })
bridge.openSession()
const common = { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' }
const accept = 'application/json, text/event-stream'
const post = (message: object, headers = {}) =>
  fetch(session.mcpUrl, {
    method: 'POST',
    headers: { ...common, accept, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })

const clientInfo = { name: 'test', version: '1' }
const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
const greeted = await post({ id: 0, method: 'initialize', params })
await greeted.text()
const id = { 'mcp-session-id': greeted.headers.get('mcp-session-id') ?? '' }
const stream = await fetch(session.mcpUrl, { headers: { ...common, accept: 'text/event-stream', ...id } })
const calling = await post({ id: 1, method: 'tools/call', params: { name: 'endless', arguments: {} } }, id)
await called

await bridge.close()
const answers = [await calling.text(), await stream.text()]
console.log(answers.map((text) => text.includes('the session is over')).join())
await new Promise((resolve) => setTimeout(resolve, 50))
console.log(
  process
    .getActiveResourcesInfo()
    .filter((name) => !/^(?:Pipe|TTY)/.test(name))
    .join() || 'nothing',
)
