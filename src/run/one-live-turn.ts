import type { LiveLaunch, LiveProtocol } from '../adapters/adapter.ts'
import { exitNotice } from '../protocol/exit-notice.ts'
import { LiveTurn } from './live-turn.ts'
import type { PreparedTurn } from './prepare.ts'
import { startLive } from './start-live.ts'
import { tokenWatchOf } from './token-watch.ts'
import { toolRulesOf } from './tool-watch.ts'
import type { Conduct, Outcome } from './turn-parts.ts'

/** One turn on a live process of its own: from its start until nothing of it is left. */
export async function runOneLiveTurn(
  conduct: Conduct,
  prepared: PreparedTurn,
  { launch, live }: { launch: LiveLaunch; live: LiveProtocol },
): Promise<Outcome> {
  const { plan, tap, queue } = conduct
  const { checked } = plan
  const process = await startLive(plan, prepared, { launch, live, oneTurn: true, tap })
  const turn = new LiveTurn({
    process,
    parts: conduct,
    budgets: checked.budgets,
    tools: toolRulesOf(plan, prepared),
    tokens: tokenWatchOf(plan, prepared),
    callback: typeof checked.interactions === 'function' ? checked.interactions : undefined,
  })
  for (const { level, code, message } of prepared.notices) turn.notice(level, code, message)
  const { statement, stop } = await turn.run(prepared.ask(checked.launch.prompt), process.ready())
  queue.lift()
  const { exitCode, signal, stderrTail, left } = await process.close()
  if (left > 0) {
    turn.notice('error', 'processes_left', `${left} processes of this turn could not be ended.`)
  }
  const notice = exitNotice(statement?.status, { exitCode, signal })
  if (notice) conduct.publisher.publish(notice)
  await turn.reportTokens({ statement, stderr: stderrTail })
  const { credentialExposure } = prepared
  return {
    statement,
    stop,
    facts: { credentialExposure, ledger: process.ledger, stderrTail, exitCode, signal },
  }
}
