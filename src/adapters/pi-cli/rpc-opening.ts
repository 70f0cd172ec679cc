import { asBoolean } from '../../protocol/narrow.ts'
import type { WireStart } from '../../protocol/wire.ts'
import { type Loading, loadsCommands } from './project.ts'
import { piHas } from './versions.ts'

/** What `--mode rpc` can do, as far as the version and the arguments decide it. */
export interface RpcOpening {
  /** `agent_settled` ends a run. undefined: nobody knows, as in a replay. */
  settles: boolean | undefined
  /** `clear_queue` takes back what a run did not take in. */
  clearsQueue: boolean
  /** Something answers to a prompt that begins with a slash: what the caller's own arguments or a trusted project load, or pi's MCP. */
  hasCommands: boolean
}

export function rpcOpening(options: Loading, version: string): Record<string, unknown> {
  const opening: RpcOpening = {
    settles: piHas('agentSettled', version),
    clearsQueue: piHas('clearQueue', version),
    hasCommands: loadsCommands(options),
  }
  return { ...opening }
}

export function readRpcOpening({ opening }: WireStart): RpcOpening {
  return {
    settles: asBoolean(opening?.settles),
    clearsQueue: asBoolean(opening?.clearsQueue) ?? false,
    hasCommands: asBoolean(opening?.hasCommands) ?? false,
  }
}
