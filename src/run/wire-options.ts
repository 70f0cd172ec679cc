import type { WireOptions } from '../protocol/wire.ts'
import type { TurnPlan } from './plan-turn.ts'
import type { PreparedTurn } from './prepare.ts'

/** What of a turn's options its wire may know. */
export function wireOptionsOf({ checked }: TurnPlan, prepared: PreparedTurn): WireOptions {
  const { conversationFound, mcpServers } = prepared
  const { resume, fork, backgroundTasks, model, cwd, promptExpansion } = checked.launch
  return {
    ...(resume !== undefined && { resume }),
    ...(conversationFound !== undefined && { conversationFound }),
    ...(model !== undefined && { model }),
    fork,
    backgroundTasks,
    cwd,
    promptExpansion,
    interactions: checked.interactions === 'default' ? 'default' : 'host',
    serverTools: Object.fromEntries(
      Object.entries(mcpServers).map(([name, { tools, hidden }]) => [name, [...tools, ...hidden]]),
    ),
  }
}
