import type { Launch } from '../adapters/adapter.ts'
import type { NoticePayload } from '../protocol/events.ts'
import type { Redactor } from '../protocol/redact.ts'
import { WireReader } from '../protocol/wire-reader.ts'
import { Attendance } from './attend.ts'
import { BudgetWatch } from './budgets.ts'
import { startChild } from './child.ts'
import { wireOf } from './launch.ts'
import type { PreparedTurn } from './prepare.ts'
import { TurnProcesses } from './processes.ts'
import { reportStderr } from './stderr-lines.ts'
import { withoutEscapes } from './stderr-tail.ts'
import { tokenWatchOf } from './token-watch.ts'
import { toolRulesOf, watchTools } from './tool-watch.ts'
import type { Conduct, Outcome } from './turn-parts.ts'
import { guardAgainstHostDeath } from './watchdog.ts'
import { wireOptionsOf } from './wire-options.ts'

/** One turn, one process: from its start until nothing of it is left. */
export async function runStructuredTurn(
  conduct: Conduct,
  prepared: PreparedTurn,
  launch: Launch,
): Promise<Outcome> {
  const { plan, publisher, queue, stop, tap } = conduct
  const { checked, redactor, turnId } = plan
  const { binary, version } = prepared
  const say = (level: NoticePayload['level'], code: string, message: string) =>
    publisher.publish({ type: 'notice', level, code, message })

  const budgets = new BudgetWatch(checked.budgets, (reason) => stop.make(reason))
  const tokens = tokenWatchOf(plan, prepared)
  const watch = watchTools(toolRulesOf(plan, prepared), (reason) => stop.make(reason))
  const reader = new WireReader(wireOf(checked.adapter, checked.adapter.structured), (event, record) => {
    if (event.type === 'tool') budgets.tool(event)
    watch?.(event)
    tokens?.hear(event)
    publisher.publish(event, record)
  })
  tap?.prepared?.({ binary, secrets: plan.secrets })
  const child = await startChild({
    file: binary.file,
    arguments: [...binary.arguments, ...launch.arguments],
    cwd: checked.launch.cwd,
    environment: prepared.environment,
    stdin: launch.stdin,
    pipes: prepared.pipes,
  })
  const processes = new TurnProcesses(turnId, child.pid)
  const release = guardAgainstHostDeath(
    turnId,
    { pid: child.pid, startTime: processes.startTime },
    launch.firstSignal,
  )
  const attendance = new Attendance({
    child,
    processes,
    reader,
    budgets,
    lingerMs: checked.budgets.lingerMs,
    firstSignal: launch.firstSignal,
    isFull: () => queue.full,
    tap,
    onEnding: () => queue.lift(),
  })
  queue.onDrained(() => attendance.resume())
  reportStderr(child.stderr, checked.log, redactor)
  for (const { level, code, message } of prepared.notices) say(level, code, message)
  attendance.begin({ transport: 'structured', options: wireOptionsOf(plan, prepared), cliVersion: version })
  stop.attach(
    () => (!child.isRunning() ? 'exited' : reader.ended ? 'last word' : 'running'),
    () => attendance.end(),
  )

  const { exitCode, signal, ...attended } = await attendance.over()
  release()
  if (attended.lingered) {
    const message = `The CLI had said its last word but lived on for ${checked.budgets.lingerMs} ms, so it was ended.`
    say('warning', 'lingered', message)
  }
  if (attended.left > 0) {
    say('error', 'processes_left', `${attended.left} processes of this turn could not be ended.`)
  }
  const reason = stop.reason(reader.ended) ?? attendance.failure
  const statement = attendance.conclude({
    exitCode,
    signal,
    // Wires shorten what they quote, which could cut a secret so that it is not found any more.
    stderr: hidden(withoutEscapes(attended.stderrTail), redactor),
    ...(reason && { stopped: true }),
    ...(attended.cutShort && { lingered: true }),
  })
  const leaks = await tokens?.report({ statement, stderr: attended.stderrTail })
  for (const notice of leaks ?? []) publisher.publish(notice)
  return {
    statement,
    facts: {
      credentialExposure: prepared.credentialExposure,
      ledger: reader.ledger,
      stderrTail: attended.stderrTail,
      exitCode,
      signal,
    },
    stop: reason ?? attendance.failure,
  }
}

function hidden(stderr: string, redactor: Redactor | undefined): string {
  return redactor ? redactor.tail(stderr) : stderr
}
