import type { JsonObject } from '../../protocol/narrow.ts'
import type { NativeTool } from '../native-tool.ts'
import { codexCan } from './versions.ts'

/**
 * Tools that codex has only together: a setting takes away all of them or none, and which of their names a turn is offered depends
 * on the version and on the model.
 */
export interface ToolGroup {
  id: string
  kind: NativeTool['kind']
  names: readonly string[]
  /** What takes them away. undefined: nothing does, on this version. */
  off(version: string): JsonObject | undefined
}

const features = (...names: string[]): JsonObject => ({
  features: Object.fromEntries(names.map((name) => [name, false])),
})
const has = codexCan

export const toolGroups: readonly ToolGroup[] = [
  {
    id: 'shell',
    kind: 'shell',
    // 'shell' is also what the events call every one of them: the records do not say which it was.
    names: ['shell', 'shell_command', 'local_shell', 'exec_command', 'write_stdin'],
    off: (version) =>
      has('switchesShell', version) === false ? undefined : features('shell_tool', 'unified_exec'),
  },
  {
    id: 'agents',
    kind: 'agent',
    names: [
      ...['spawn_agent', 'send_input', 'resume_agent', 'wait_agent', 'close_agent'],
      ...['followup_task', 'interrupt_agent', 'list_agents', 'send_message'],
    ],
    off(version) {
      if (has('switchesTools', version) !== false) return { agents: { enabled: false } }
      // Before, the new word is an error; now the old one is deprecated, and complained of.
      return has('modelsBringAgents', version) ? undefined : features('multi_agent')
    },
  },
  {
    id: 'goals',
    kind: 'schedule',
    names: ['get_goal', 'create_goal', 'update_goal'],
    off: () => features('goals'),
  },
  {
    id: 'web',
    kind: 'network',
    names: ['web_search'],
    off: () => ({ web_search: 'disabled' }),
  },
  {
    id: 'images',
    kind: 'read',
    names: ['view_image'],
    off(version) {
      if (has('switchesShell', version) === false) return features('view_image_tool')
      return has('switchesTools', version) === false ? undefined : features('view_image')
    },
  },
  {
    id: 'plan',
    kind: 'plan',
    names: ['update_plan'],
    off: (version) => toolSwitch('update_plan', version),
  },
  {
    id: 'questions',
    kind: 'question',
    names: ['request_user_input', 'request_user_input_async'],
    off: (version) => toolSwitch('experimental_request_user_input', version),
  },
  {
    id: 'clock',
    kind: 'background',
    names: ['sleep'],
    off: () => features('sleep_tool'),
  },
  {
    id: 'pictures',
    kind: 'other',
    names: ['image_generation'],
    off: () => features('image_generation'),
  },
]

function toolSwitch(name: string, version: string): JsonObject | undefined {
  return has('switchesTools', version) === false ? undefined : { tools: { [name]: { enabled: false } } }
}

/** What no setting takes away on any version, and why it can do nothing that the turn's tools do not allow. */
const fixed: readonly NativeTool[] = [
  {
    name: 'apply_patch',
    kind: 'edit',
    residual: 'offered by the newer models; the sandbox is read-only, so it changes nothing',
  },
  {
    name: 'exec',
    kind: 'other',
    residual:
      'JavaScript of the newest models, without files, processes and network; it reaches only what is offered',
  },
  { name: 'wait', kind: 'other', residual: 'waits for an `exec` that still runs' },
  {
    name: 'curr_time',
    kind: 'other',
    residual: 'tells the time',
  },
  { name: 'tool_search', kind: 'mcp', residual: 'finds the tools that are offered, and is one of none' },
  {
    name: 'list_mcp_resources',
    kind: 'mcp',
    residual: "reaches the granted servers' resources, nothing else",
  },
  {
    name: 'list_mcp_resource_templates',
    kind: 'mcp',
    residual: "reaches the granted servers' resources, nothing else",
  },
  {
    name: 'read_mcp_resource',
    kind: 'mcp',
    residual: "reaches the granted servers' resources, nothing else",
  },
  {
    name: 'send_message_to_user_async',
    kind: 'other',
    residual: 'says something and waits for nobody; only gpt-6.2 has it',
  },
]

/** Why those that only newer versions can take away do nothing on older ones. */
const residueOfOld: Readonly<Record<string, string>> = {
  view_image: 'below 0.147.0: shows the model an image file',
  update_plan: 'below 0.147.0: tells a plan, and does nothing',
  request_user_input: 'below 0.147.0: codex answers that nobody can be asked',
}

/** Whether they can do nothing also where they cannot be taken away. */
export function isHarmless({ names }: ToolGroup): boolean {
  return names.some((name) => residueOfOld[name] !== undefined)
}

/** Every name that was seen offered by 0.55 to 0.171 to the models that each knows, and to one that it does not know. */
export const codexNativeTools: readonly NativeTool[] = [
  ...toolGroups.flatMap(({ id, kind, names }) =>
    names.map((name): NativeTool => {
      const residual = residueOfOld[name]
      return {
        name,
        kind,
        ...(names.length > 1 && { together: id }),
        ...(residual !== undefined && { residual }),
      }
    }),
  ),
  ...fixed,
]
