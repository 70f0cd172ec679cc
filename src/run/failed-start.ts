import { AgentError } from '../errors.ts'
import type { Stop } from '../protocol/completion.ts'
import { hintOrDefault } from '../protocol/hints.ts'
import type { Redactor } from '../protocol/redact.ts'

const lastLines = 5

/** Why no session came of a process: without secrets, for nothing else hides them here, and with what it said on stderr. */
export function failedStart(stop: Stop, stderrTail: string, redactor: Redactor | undefined): AgentError {
  const { code, message, hint, retryable } = redactor?.fields(stop) ?? stop
  const said = (redactor?.tail(stderrTail) ?? stderrTail).split('\n').filter((line) => line.trim() !== '')
  const last = said.slice(-lastLines).map((line) => line.trim().slice(0, 300))
  return new AgentError(code, message, {
    ...(retryable !== undefined && { retryable }),
    hint:
      code === 'crashed' && last.length > 0
        ? `Mend what it said on stderr: ${last.join(' | ')}`
        : hintOrDefault(code, hint),
  })
}
