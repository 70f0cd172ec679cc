import type { LaunchContext, LiveLaunch } from '../adapter.ts'
import type { LiveLaunchOptions } from '../launch-options.ts'
import { configurationArguments } from './config.ts'
import { bypassesHookTrust, demandConversationId, endpointEnvironment, settingsFiles } from './launch.ts'
import { serverEnvironment } from './mcp-servers.ts'
import { strictSchema } from './output-schema.ts'
import { approvalPolicy, sandboxModes, sandboxOf } from './permissions.ts'

/** The request that opens the conversation, as the wire sends it after the handshake. */
export interface Opening {
  method: 'thread/start' | 'thread/resume' | 'thread/fork'
  params: Readonly<Record<string, unknown>>
}

/** `codex app-server` for a process of many turns: everything but the conversation in the same generated `config.toml` as exec's. */
export function launchAppServer(options: LiveLaunchOptions, context: LaunchContext): LiveLaunch {
  return {
    arguments: ['app-server', ...configurationArguments(options, context, 'live'), ...options.arguments],
    environment: { ...endpointEnvironment(options.endpoint), ...serverEnvironment(options) },
    files: settingsFiles(options, context, 'live'),
    firstSignal: 'SIGINT',
    opening: { ...openingOf(options, context), ...outputSchemaOf(options) },
  }
}

/** For every turn: `turn/start` takes it. */
function outputSchemaOf({ outputSchema }: LiveLaunchOptions): { outputSchema?: object } {
  const strict = outputSchema && strictSchema(outputSchema)
  return strict && 'schema' in strict ? { outputSchema: strict.schema } : {}
}

function openingOf(options: LiveLaunchOptions, context: LaunchContext): Opening {
  const { resume, fork } = options
  if (resume === undefined) return { method: 'thread/start', params: settingsOf(options, context) }
  demandConversationId(resume)
  return {
    method: fork ? 'thread/fork' : 'thread/resume',
    // The answer would hold the whole conversation, in one line.
    params: { ...settingsOf(options, context), threadId: resume, excludeTurns: true },
  }
}

/** Said although they stand in the configuration: a conversation that is resumed brings its own. */
function settingsOf(options: LiveLaunchOptions, context: LaunchContext) {
  const { approvals, model, tools } = options
  // exec's own; app-server would look for what the user trusts.
  const sandbox = sandboxOf(options) ?? (context.home === undefined ? undefined : 'read-only')
  return {
    // Not for a new one, which takes the process's own: app-server trusts a project that a client names and that may be written
    // to, MCP servers and agents included (0.171.0).
    ...(options.resume !== undefined && { cwd: context.realCwd ?? options.cwd }),
    approvalPolicy: approvalPolicy(options, context.version),
    ...(approvals === 'auto' && tools.mode !== 'mcp_only' && { approvalsReviewer: 'auto_review' }),
    ...(sandbox !== undefined && { sandbox: sandboxModes[sandbox] }),
    ...(model !== undefined && { model }),
    // What exec has a flag for.
    ...(bypassesHookTrust(options, context) && { config: { bypass_hook_trust: true } }),
  }
}
