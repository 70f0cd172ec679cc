import { isAgentError, wordsOf } from '../errors.ts'
import type { ProcessFacts, Stop } from '../protocol/completion.ts'
import type { CompletionEvent, CompletionStatement, NoticePayload } from '../protocol/events.ts'
import type { Redactor } from '../protocol/redact.ts'
import { WireReader } from '../protocol/wire-reader.ts'
import { Attendance, type Tap } from './attend.ts'
import { BudgetWatch } from './budgets.ts'
import { runCallerCode } from './caller-code.ts'
import { startChild } from './child.ts'
import type { EventQueue } from './event-queue.ts'
import { type PreparedTurn, prepareTurn, type TurnPlan } from './prepare.ts'
import { TurnProcesses } from './processes.ts'
import type { Publisher } from './publish.ts'
import { reportLines } from './stderr-lines.ts'
import { withoutEscapes } from './stderr-tail.ts'
import type { StopRequest } from './stop-request.ts'
import { guardAgainstHostDeath } from './watchdog.ts'

export interface Conduct {
  plan: TurnPlan
  publisher: Publisher
  queue: EventQueue
  stop: StopRequest
  tap?: Tap | undefined
}

interface Outcome {
  statement?: CompletionStatement | undefined
  facts?: Omit<ProcessFacts, 'durationMs'>
  stop?: Stop | undefined
}

const noProcess: Omit<ProcessFacts, 'durationMs'> = {
  credentialExposure: 'none',
  ledger: { bytes: 0, records: 0, ignored: 0, unknown: 0, invalid: 0, oversized: 0 },
  stderrTail: '',
  exitCode: null,
  signal: null,
}

/** Takes a turn to its completion. Never throws. */
export async function conductTurn(conduct: Conduct): Promise<CompletionEvent> {
  const started = performance.now()
  // The caller has yet to attach what listens.
  await Promise.resolve()
  const { statement, facts, stop } = await runTurn(conduct).catch(
    (error: unknown): Outcome => ({ stop: launchFailure(error) }),
  )
  const durationMs = Math.round(performance.now() - started)
  return conduct.publisher.complete(statement, { ...(facts ?? noProcess), durationMs }, stop)
}

async function runTurn(conduct: Conduct): Promise<Outcome> {
  const { plan, stop } = conduct
  if (stop.made) return { stop: stop.reason(false) }
  const prepared = await prepareTurn(plan)
  try {
    if (stop.made) return { stop: stop.reason(false) }
    return await runChild(conduct, prepared)
  } finally {
    prepared.release()
    try {
      prepared.home.remove()
    } catch (error) {
      const text = `The home ${prepared.home.directory} could not be removed: ${wordsOf(error)}`
      const message = plan.redactor?.text(text) ?? text
      runCallerCode(() => plan.checked.log?.({ level: 'warning', message }))
    }
  }
}

async function runChild(conduct: Conduct, prepared: PreparedTurn): Promise<Outcome> {
  const { plan, publisher, queue, stop, tap } = conduct
  const { checked, redactor, turnId } = plan
  const { launch, binary, version } = prepared
  const say = (level: NoticePayload['level'], code: string, message: string) =>
    publisher.publish({ type: 'notice', level, code, message })

  const budgets = new BudgetWatch(checked.budgets, (reason) => stop.make(reason))
  const reader = new WireReader(checked.adapter.structured.wire(), (event, record) => {
    if (event.type === 'tool') budgets.tool(event)
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
  const { log } = checked
  if (log) {
    const report = (line: string) => {
      const message = redactor?.text(line) ?? line
      runCallerCode(() => log({ level: 'debug', message }))
    }
    reportLines(child.stderr, report)
  }
  for (const { code, message } of prepared.notices) say('warning', code, message)
  attendance.begin({ transport: 'structured', options: wireOptions(plan, prepared), cliVersion: version })
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

function wireOptions({ checked }: TurnPlan, { conversationFound }: PreparedTurn) {
  const { resume, fork, backgroundTasks, model, cwd } = checked.launch
  return {
    ...(resume !== undefined && { resume }),
    ...(conversationFound !== undefined && { conversationFound }),
    ...(model !== undefined && { model }),
    fork,
    backgroundTasks,
    cwd,
  }
}

/** Why nothing was started. */
function launchFailure(error: unknown): Stop {
  const known = isAgentError(error)
  const code = known ? error.code : 'spawn_failed'
  const what = wordsOf(error)
  return {
    status: 'error',
    code,
    message: known ? what : `The turn could not be started: ${what}`,
    ...(known && error.hint !== undefined && { hint: error.hint }),
    evidence: { by: 'spawn', detail: code },
  }
}
