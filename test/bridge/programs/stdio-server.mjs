// An MCP server on stdin and stdout, written by hand: each mode has another way to be good or bad.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [mode, file] = process.argv.slice(2)
const print = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
const input = createInterface({ input: process.stdin })

if (mode === 'crash') {
  console.error(`The token ${process.env.SERVER_TOKEN} is wrong.`)
  process.exit(3)
}
if (mode === 'garbage') console.log('Listening, with', process.env.SERVER_TOKEN)
if (mode === 'stubborn') {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
  const script = 'trap "" TERM INT HUP; while :; do sleep 1; done'
  const grandchild = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore' })
  writeFileSync(file, `${process.pid} ${grandchild.pid}`)
  setInterval(() => {}, 1_000)
}

const pages = { '': ['one', 'two'], second: ['three'] }

input.on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined || mode === 'garbage' || mode === 'silent') return
  if (method === 'initialize') {
    const protocolVersion = mode === 'future' ? '2099-01-01' : params.protocolVersion
    const capabilities = mode === 'without tools' ? {} : { tools: {} }
    print({ id, result: { protocolVersion, capabilities, serverInfo: { name: 'test', version: '1' } } })
  } else if (mode === 'error') {
    print({ id, error: { code: -32603, message: `The token ${process.env.SERVER_TOKEN} is wrong.` } })
  } else if (mode === 'environment') {
    print({ id, result: { tools: Object.keys(process.env).sort().map(tool) } })
  } else if (mode === 'malformed') {
    print({ id, result: { tools: 'none' } })
  } else if (mode === 'nameless') {
    print({ id, result: { tools: [tool('one'), { ...tool('two'), name: '' }] } })
  } else if (mode === 'odd tool') {
    print({
      id,
      result: { tools: [{ ...tool('odd'), annotations: { readOnlyHint: process.env.SERVER_TOKEN } }] },
    })
  } else if (mode === 'odd input') {
    print({ id, result: { tools: [{ ...tool('odd'), inputSchema: { type: 'array' } }] } })
  } else if (mode === 'strange tools') {
    const lists = { ...tool('lists'), outputSchema: { type: 'array' } }
    const any = { ...tool('takes anything'), inputSchema: { type: 'object', properties: { it: true } } }
    print({ id, result: { tools: [lists, any, tool('twice'), tool('twice')] } })
  } else {
    const names = pages[params?.cursor ?? '']
    print({ id, result: { tools: names.map(tool), ...(names.length > 1 && { nextCursor: 'second' }) } })
  }
})

function tool(name) {
  const annotations = { readOnlyHint: true }
  return { name, description: `Tool ${name}.`, inputSchema: { type: 'object' }, annotations }
}
