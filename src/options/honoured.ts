import type { Adapter } from '../adapters/adapter.ts'
import { AgentError } from '../errors.ts'
import { listed } from './kinds.ts'
import type { ParsedOptions } from './schema.ts'
import { residueOf, toolPolicyOf } from './tool-policy.ts'
import { capabilitiesOn, type TransportChoice } from './transport.ts'

/** An option that cannot be honoured. */
export interface Unsupported {
  /** 'tools.mode' */
  option: string
  /** With the value, as it is said: "tools.mode: 'mcp_only'". */
  said: string
  /** What could be had in its place, in words. */
  supported: string
}

/** Refuses, by name, what this adapter, on this transport, cannot honour. */
export function refuseUnsupported(
  adapter: Adapter,
  transport: TransportChoice['transport'],
  options: ParsedOptions,
): void {
  for (const { said, supported } of unsupportedIn(adapter, transport, options)) {
    throw new AgentError('unsupported', `${adapter.id} does not support ${said}. Supported: ${supported}.`, {
      hint: `Leave the option out, or use another adapter.`,
    })
  }
}

/** All of it. */
export function unsupportedIn(
  adapter: Adapter,
  transport: TransportChoice['transport'],
  options: ParsedOptions,
): Unsupported[] {
  const capabilities = capabilitiesOn(adapter, transport)
  const { systemPrompt, endpoint } = options
  const refused: Unsupported[] = []
  const refuse = (said: string, supported: string) => {
    const [option = ''] = said.split(/[: ]/, 1)
    refused.push({ option, said, supported })
  }
  const oneOf = (option: string, value: string | undefined, supported: readonly string[]) => {
    if (value === undefined || supported.includes(value)) return
    refuse(`${option}: '${value}'`, supported.length === 0 ? `no ${option} at all` : listed(supported, 'and'))
  }

  if (typeof options.approvals === 'string' && options.approvals !== 'host') {
    oneOf('approvals', options.approvals, capabilities.approvals)
  }
  oneOf('sandbox', options.sandbox, [...capabilities.sandbox, 'off'])
  if (options.network === false && !capabilities.network) refuse('network: false', 'network: true')
  if (systemPrompt?.append !== undefined && !capabilities.systemPrompt.append) {
    refuse(
      'systemPrompt.append',
      capabilities.systemPrompt.replace ? 'systemPrompt.replace' : 'no system prompt',
    )
  }
  if (systemPrompt?.replace !== undefined && !capabilities.systemPrompt.replace) {
    refuse(
      'systemPrompt.replace',
      capabilities.systemPrompt.append ? 'systemPrompt.append' : 'no system prompt',
    )
  }
  if (capabilities.effort !== 'any') oneOf('effort', options.effort, capabilities.effort)
  if (hasImages(options.prompt) && !capabilities.images) refuse('images in the prompt', 'text')
  if (options.promptExpansion && !capabilities.promptExpansion) refuse('promptExpansion: true', 'false')
  if (options.resume !== undefined && !capabilities.resume) refuse('resume', 'new conversations')
  if (options.fork && !capabilities.fork) refuse('fork: true', 'resume without fork')
  oneOf('backgroundTasks', options.backgroundTasks, capabilities.backgroundTasks)
  oneOf('projectConfiguration', options.projectConfiguration, capabilities.projectConfiguration)
  if (options.projectInstructions === false && !capabilities.withoutProjectInstructions) {
    refuse('projectInstructions: false', 'projectInstructions: true')
  }
  if (endpoint && capabilities.endpoint.length === 0) refuse('endpoint', "the provider's own endpoint")
  if (endpoint) oneOf('endpoint.api', endpoint.api, capabilities.endpoint)
  for (const { type } of Object.values(options.mcpServers ?? {})) {
    oneOf('mcpServers', type, capabilities.mcpServers)
  }
  if (options.bridge?.length && !capabilities.mcpServers.includes('http'))
    refuse('bridge', "the CLI's own tools")
  oneOf('tools.mode', options.tools?.mode, capabilities.toolModes)
  const native = nativeNameIn(options.tools, adapter)
  if (native !== undefined && !capabilities.nativeToolLists) {
    refuse(`tools.allow and tools.deny of its own tools (${native})`, "the CLI's own tools as they are")
  }
  const residue = options.tools?.strict ? residueOf(toolPolicyOf(options), adapter.nativeTools) : []
  if (residue.length > 0) {
    refuse('tools.strict', `the same without it; this CLI cannot take away ${listed(residue, 'and')}`)
  }
  if (isFilled(options.configuration) && !capabilities.configuration) refuse('configuration', 'arguments')
  return refused
}

/** A tool of the CLI's own that `tools` lists; in mode 'native' it lists no others. */
function nativeNameIn(tools: ParsedOptions['tools'], { nativeTools = [] }: Adapter): string | undefined {
  if (!tools) return undefined
  const names = [...(tools.allow ?? []), ...(tools.deny ?? [])]
  if (tools.mode === 'native') return names[0] ?? (tools.allow ? 'none' : undefined)
  return names.find((name) => nativeTools.some((tool) => tool.name === name))
}

function hasImages(prompt: ParsedOptions['prompt']): boolean {
  return typeof prompt !== 'string' && prompt.some((part) => part.type === 'image')
}

function isFilled(configuration: Record<string, unknown> | undefined): boolean {
  return configuration !== undefined && Object.keys(configuration).length > 0
}
