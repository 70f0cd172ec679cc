import { asObject, asString } from '../protocol/narrow.ts'
import { type AddressedCall, callId } from './model-api.ts'
import type { OfferedTool, ToolCall } from './scenario.ts'

/** The shell tools of the CLIs, best first: claude; pi; codex in its several ages. */
const shellNames = ['Bash', 'bash', 'shell_command', 'exec_command', 'shell', 'local_shell', 'exec']

/** codex goes on without a command's result after 10 s of its own, which a busy machine can need for a shell to start. */
const patienceMs = 120_000

/** Addresses each call to a tool that the request offers. A tool that is not offered keeps its name: that is a test, too. */
export function addressCalls(
  calls: readonly ToolCall[],
  tools: readonly OfferedTool[],
  answer: number,
  prefix: string,
): AddressedCall[] {
  return calls.map((call, position) => {
    const id = callId(prefix, answer, position)
    const named = tools.find((tool) => tool.name === call.name || fullName(tool) === call.name)
    if (call.name === 'shell' && typeof call.input !== 'string') {
      const shell = findShell(tools)
      const command = asString(call.input.command)
      if (shell && command !== undefined) {
        return { id, name: shell.name, type: shell.type, input: shellInput(shell, command, call.input) }
      }
    }
    const address = {
      id,
      name: named?.name ?? call.name,
      type: named?.type ?? call.type ?? 'function',
      input: call.input,
    }
    return named?.namespace === undefined ? address : { ...address, namespace: named.namespace }
  })
}

/** As a CLI without namespaces offers it: 'mcp__harbour__moor'. codex 0.130 ends the namespace itself with the two underscores. */
export function fullName({ name, namespace = '' }: OfferedTool): string {
  return namespace === '' || namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`
}

function findShell(tools: readonly OfferedTool[]): OfferedTool | undefined {
  for (const name of shellNames) {
    const tool = tools.find((offered) => offered.name === name)
    if (tool) return tool
  }
  return undefined
}

function shellInput(
  tool: OfferedTool,
  command: string,
  input: Record<string, unknown>,
): Record<string, unknown> | string {
  // codex 0.171 gives its newest models no shell but a JavaScript tool that reaches one.
  if (tool.type === 'custom') {
    const call = JSON.stringify({ cmd: command, yield_time_ms: patienceMs })
    return `// @exec: {"yield_time_ms": ${patienceMs}}\nconst result = await tools.exec_command(${call})\ntext(result.output ?? result)`
  }
  const { command: _, ...rest } = input
  const properties = asObject(tool.schema?.properties)
  if (properties && 'cmd' in properties) {
    const patience = 'yield_time_ms' in properties ? { yield_time_ms: patienceMs } : {}
    return { cmd: command, ...patience, ...rest }
  }
  const wantsArgv = tool.type === 'local_shell' || asObject(properties?.command)?.type === 'array'
  return { command: wantsArgv ? ['bash', '-lc', command] : command, ...rest }
}
