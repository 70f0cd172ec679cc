import { asObject, asString } from '../protocol/narrow.ts'
import { type AddressedCall, callId } from './model-api.ts'
import type { OfferedTool, ToolCall } from './scenario.ts'

/** The shell tools of the CLIs, best first: claude; pi; codex in its several ages. */
const shellNames = ['Bash', 'bash', 'shell_command', 'exec_command', 'shell', 'local_shell', 'exec']

/** Addresses each call to a tool that the request offers. A tool that is not offered keeps its name: that is a test, too. */
export function addressCalls(
  calls: readonly ToolCall[],
  tools: readonly OfferedTool[],
  answer: number,
  prefix: string,
): AddressedCall[] {
  return calls.map((call, position) => {
    const id = callId(prefix, answer, position)
    const named = tools.find((tool) => tool.name === call.name)
    if (call.name === 'shell' && typeof call.input !== 'string') {
      const shell = findShell(tools)
      const command = asString(call.input.command)
      if (shell && command !== undefined) {
        return { id, name: shell.name, type: shell.type, input: shellInput(shell, command, call.input) }
      }
    }
    return { id, name: call.name, type: named?.type ?? 'function', input: call.input }
  })
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
    return `const result = await tools.exec_command({ cmd: ${JSON.stringify(command)} })\ntext(result.output ?? result)`
  }
  const { command: _, ...rest } = input
  const properties = asObject(tool.schema?.properties)
  if (properties && 'cmd' in properties) return { cmd: command, ...rest }
  const wantsArgv = tool.type === 'local_shell' || asObject(properties?.command)?.type === 'array'
  return { command: wantsArgv ? ['bash', '-lc', command] : command, ...rest }
}
