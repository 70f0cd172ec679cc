// An MCP server with one tool that asks the person at the client before it answers.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const server = new Server({ name: 'harbour', version: '1.0.0' }, { capabilities: { tools: {} } })

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: 'moor', description: 'Moors a boat.', inputSchema: { type: 'object' } }],
}))

server.setRequestHandler(CallToolRequestSchema, async () => {
  const { action, content } = await server.elicitInput({
    message: 'Which berth, and for how many nights?',
    requestedSchema: {
      type: 'object',
      properties: { berth: { type: 'string' }, nights: { type: 'integer' } },
      required: ['berth', 'nights'],
    },
  })
  return { content: [{ type: 'text', text: JSON.stringify({ action, ...content }) }] }
})

await server.connect(new StdioServerTransport())
