// An MCP server on stdio with the tools that its arguments name. Calling one says what it was given, and this process with it.
import { createInterface } from 'node:readline'

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'stdio-tools', version: '1' },
  }),
  'tools/list': () => ({
    tools: process.argv.slice(2).map((name) => ({
      name,
      description: `Does ${name}.`,
      inputSchema: { type: 'object', properties: {} },
    })),
  }),
  'tools/call': ({ name }) => ({
    content: [{ type: 'text', text: JSON.stringify({ name, value: process.env.HARBOUR_VALUE }) }],
  }),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = answers[method]
  const reply = answer ? { result: answer(params) } : { error: { code: -32601, message: `no ${method}` } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`)
}
