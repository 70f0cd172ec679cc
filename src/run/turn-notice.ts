import type { NoticePayload } from '../protocol/events.ts'

/** What a consumer should know of a turn before the CLI has said a word. */
export type TurnNotice = Pick<NoticePayload, 'level' | 'code' | 'message'>
