import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAgentError } from '../../errors.ts'
import type { BridgeTool } from '../../options/bridge-tool.ts'
import { capabilitiesOn } from '../../options/transport.ts'
import { asObject } from '../../protocol/narrow.ts'
import type { Bench } from './bench.ts'
import { runTurn, writtenFault } from './tool-turn.ts'
import { faultsOf } from './watch.ts'

export interface McpFigures {
  /** A call of a tool of ours, over MCP. 'unsupported': this CLI, or this version of it, takes no MCP servers. */
  mcpTool: 'works' | 'fails' | 'unsupported'
}

const name = 'write_note'
const unsupported: { figures: McpFigures; faults: string[] } = {
  figures: { mcpTool: 'unsupported' },
  faults: [],
}

/** The model has one tool, which is ours: it writes a file, and what it returns must get back to the model. */
export async function measureMcpTool(bench: Bench): Promise<{ figures: McpFigures; faults: string[] }> {
  if (!capabilitiesOn(bench.adapter, bench.transport).mcpServers.includes('http')) {
    return unsupported
  }
  const [content, receipt, file] = [8, 8, 4].map((bytes) => randomBytes(bytes).toString('hex'))
  const path = join(bench.cwd, `note-${file}.txt`)
  const tool: BridgeTool = {
    name,
    description: 'Writes a note.',
    input: { type: 'object', properties: { content: { type: 'string' } }, required: ['content'] },
    execute: async (input) => {
      await writeFile(path, String(asObject(input)?.content))
      return `noted ${receipt}`
    },
  }
  const call = { name: `mcp__bridge__${name}`, input: { content } }
  const replies = [{ toolCalls: [call] }, { text: 'The note is written.' }]
  const options = bench.playing(replies, { bridge: [tool], tools: { mode: 'mcp_only' } })
  const prompt = `Call the tool ${name} once, with the content "${content}". Then say in one sentence that it is done.`
  const turn = await runTurn(bench, options, prompt).catch((error: unknown) => {
    if (isAgentError(error) && error.code === 'unsupported') return undefined
    throw error
  })
  if (!turn) return unsupported
  const written = await readFile(path, 'utf8').catch(() => undefined)
  const ends = turn.events.filter((event) => event.type === 'tool' && event.phase === 'end')
  const faults = [
    ...faultsOf(turn),
    ...(written === content ? [] : [writtenFault(written)]),
    ...(ends.some(({ status }) => status === 'completed') ? [] : ['no tool call ended as completed']),
    ...(bench.wasTold(`noted ${receipt}`) === false
      ? ['the model never got to read what the tool said']
      : []),
  ]
  return { figures: { mcpTool: faults.length === 0 ? 'works' : 'fails' }, faults }
}
