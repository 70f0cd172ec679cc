import { asArray, asNumber, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { Transcript } from '../../protocol/transcript.ts'

/** Records of the control protocol, and of hosts that watch: none of them belongs to what a turn says. */
export const silentRecords: ReadonlySet<string> = new Set([
  'auth_status',
  'command_lifecycle',
  'control_cancel_request',
  'control_request',
  'control_response',
  // After '/clear' (2.1.278): the id of the next `init` is the new one.
  'conversation_reset',
  'keep_alive',
  'prompt_suggestion',
  'tool_progress',
  'tool_use_summary',
])

/** `system` records that say nothing to a consumer, or nothing that another record does not say. */
const silent: ReadonlySet<string> = new Set([
  'agents_killed',
  'api_error',
  'away_summary',
  'bridge_state',
  'bridge_status',
  'checkpoint_done',
  'cloud_session_delta',
  'cloud_session_status',
  'code_change_published',
  'commands_changed',
  'control_request_progress',
  'dev_intent',
  'elicitation_complete',
  'feedback_draft_queued',
  'file_attachments_missing',
  'file_snapshot',
  'files_persisted',
  'hook_progress',
  'hook_started',
  'inherited_asks_settled',
  'local_command',
  'local_command_output',
  'memory_recall',
  'memory_saved',
  'mirror_error',
  'model_refusal_no_fallback',
  'peer_message_hold',
  'per_turn_effort_changed',
  'permission_check_status',
  'permission_denied',
  'permission_retry',
  'placed',
  'plugin_install',
  'post_turn_summary',
  'rewind_stand_in',
  'scheduled_task_fire',
  'session_metadata',
  'session_state_changed',
  'session_title_changed',
  'shell_cwd',
  'start_folder',
  'stop_hook_summary',
  'task_progress',
  'task_summary',
  'task_updated',
  'thinking_tokens',
  'tool_host_result',
  'turn_began_before_init',
  'turn_duration',
  'turn_handoff_available',
  'turn_preempted',
  'turn_starting',
  'vcs_state_changed',
  'worker_shutting_down',
])

/** Says what a `system` record has to say beside the answer. */
export function sayNotice(transcript: Transcript, record: JsonObject): void {
  const subtype = asString(record.subtype) ?? '?'
  switch (subtype) {
    case 'api_retry':
      sayRetry(transcript, record)
      break
    case 'compact_boundary': {
      const metadata = asObject(record.compact_metadata) ?? asObject(record.compactMetadata)
      transcript.notice('info', 'compaction', 'The conversation was summed up to make room.', metadata)
      break
    }
    case 'status':
      if (record.status === 'compacting') {
        transcript.notice('info', 'compacting', 'The CLI sums up the conversation to make room.')
      }
      break
    case 'hook_response':
      if (record.outcome === 'error' || (asNumber(record.exit_code) ?? 0) !== 0) {
        transcript.notice('warning', 'hook_failed', `${asString(record.hook_name) ?? 'A hook'} failed.`)
      }
      break
    case 'informational':
    case 'notification':
    case 'instruction_size_warning':
    case 'session_writes_lost': {
      const text = asString(record.content) ?? asString(record.message) ?? asString(record.text) ?? subtype
      const level = record.level === 'warning' || record.level === 'error' ? 'warning' : 'info'
      transcript.notice(level, 'cli_message', text)
      break
    }
    case 'model_fallback':
    case 'model_consent_fallback':
    case 'model_refusal_fallback': {
      const text = asString(record.content) || 'The CLI went on with another model.'
      transcript.notice('warning', 'model_fallback', text)
      break
    }
    case 'task_notification': {
      const text = asString(record.summary) ?? 'A background task of the CLI reported.'
      const details = { taskId: asString(record.task_id), status: asString(record.status) }
      transcript.notice('info', 'background_task', text, details)
      break
    }
    default:
      if (!silent.has(subtype) && !subtype.startsWith('ui_') && !subtype.startsWith('voice_')) {
        transcript.unknown(`the system record "${subtype}"`)
      }
  }
}

function sayRetry(transcript: Transcript, record: JsonObject): void {
  const attempt = asNumber(record.attempt)
  const maxRetries = asNumber(record.max_retries)
  const status = asNumber(record.error_status)
  const error = asString(record.error)
  const reason = status ?? (error === 'unknown' ? undefined : error)
  const of = maxRetries === undefined ? '' : ` of ${maxRetries}`
  transcript.notice(
    'warning',
    'retry',
    `The CLI asks the model again${attempt === undefined ? '' : ` (${attempt}${of})`}${reason === undefined ? '' : `: ${reason}`}.`,
    { attempt, maxRetries, delayMs: asNumber(record.retry_delay_ms), status, error },
  )
}

/** A window of the provider's limits. @returns whether it is used up, and when it begins anew: milliseconds since the epoch */
export function sayRateLimit(
  transcript: Transcript,
  info: JsonObject,
): { isReached: boolean; resetsAt: number | undefined } {
  const status = asString(info.status) ?? 'unknown'
  const seconds = asNumber(info.resetsAt)
  const resetsAt = seconds === undefined ? undefined : seconds * 1000
  const window = asString(info.rateLimitType)
  transcript.notice(
    status === 'allowed' ? 'info' : 'warning',
    'rate_limit',
    `The provider's limit${window === undefined ? '' : ` (${window})`}: ${status}.`,
    { status, window, resetsAt },
  )
  return { isReached: status === 'rejected', resetsAt }
}

/** One notice for each MCP server that will not come: 'pending' is no failure yet. */
export function sayMcpFailures(transcript: Transcript, init: JsonObject): void {
  for (const value of asArray(init.mcp_servers)) {
    const server = asObject(value)
    const status = asString(server?.status)
    if (status === undefined || status === 'connected' || status === 'pending' || status === 'disabled')
      continue
    const name = asString(server?.name) ?? '?'
    transcript.notice(
      'warning',
      'mcp_server_failed',
      `The MCP server "${name}" is not connected: ${status}.`,
      {
        server: name,
        status,
      },
    )
  }
}
