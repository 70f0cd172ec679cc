import type { NoticePayload } from '../../protocol/events.ts'
import { asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import { isSilent } from './live-methods.ts'

export type Notice = Pick<NoticePayload, 'level' | 'code' | 'message'>

const wordless = 'codex warns, without a word.'

/** What a notification tells a reader, where that is all it does. */
export function noticeOf(method: string, params: JsonObject): Notice | undefined {
  switch (method) {
    case 'warning':
    case 'guardianWarning':
      return warning('cli_warning', asString(params.message) || wordless)
    case 'configWarning':
    case 'deprecationNotice':
      return warning(
        'cli_warning',
        [params.summary, params.details].flatMap((text) => asString(text) ?? []).join(' ') || wordless,
      )
    case 'model/rerouted':
      return warning(
        'model_rerouted',
        `codex went on with ${asString(params.toModel) ?? 'another model'} instead of ${asString(params.fromModel) ?? 'the model that was asked for'}.`,
      )
    case 'mcpServer/startupStatus/updated':
      return serverNotice(params)
    case 'item/autoApprovalReview/completed':
      return reviewNotice(asObject(params.review))
    default:
      if (isSilent(method)) return undefined
      return {
        level: 'info',
        code: 'unknown_record',
        message: `This version does not know the notification "${method.slice(0, 200)}".`,
      }
  }
}

function warning(code: string, message: string): Notice {
  return { level: 'warning', code, message }
}

function serverNotice(params: JsonObject): Notice | undefined {
  if (params.status !== 'failed') return undefined
  const name = asString(params.name) ?? 'unknown'
  return warning(
    'mcp_server_failed',
    `The MCP server ${name} did not start: ${asString(params.error) ?? 'codex does not say why.'}`,
  )
}

function reviewNotice(review: JsonObject | undefined): Notice | undefined {
  const status = asString(review?.status)
  if (status !== 'denied' && status !== 'timedOut') return undefined
  const why = asString(review?.rationale)
  return warning('approval_denied', `codex's own reviewer did not allow it${why ? `: ${why}` : '.'}`)
}
