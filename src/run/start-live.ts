import type { LiveLaunch, LiveProtocol } from '../adapters/adapter.ts'
import type { Tap } from './attend.ts'
import { wireOf } from './launch.ts'
import { LiveProcess } from './live-process.ts'
import type { TurnPlan } from './plan-turn.ts'
import type { PreparedTurn } from './prepare.ts'
import { reportStderr } from './stderr-lines.ts'
import { wireOptionsOf } from './wire-options.ts'

export interface LiveStart {
  launch: LiveLaunch
  live: LiveProtocol
  /** The process is for one turn alone. */
  oneTurn: boolean
  tap?: Tap | undefined
}

/** Starts a live process for what was prepared. Throws AgentError where it cannot be started. */
export async function startLive(
  plan: TurnPlan,
  prepared: PreparedTurn,
  { launch, live, oneTurn, tap }: LiveStart,
): Promise<LiveProcess> {
  const { checked, redactor, turnId, secrets } = plan
  const { binary, version, environment, pipes } = prepared
  tap?.prepared?.({ binary, secrets })
  return LiveProcess.start({
    id: turnId,
    command: {
      file: binary.file,
      arguments: [...binary.arguments, ...launch.arguments],
      cwd: checked.launch.cwd,
      environment,
      pipes,
    },
    wire: wireOf(checked.adapter, live),
    start: {
      transport: 'live',
      options: wireOptionsOf(plan, prepared),
      cliVersion: version,
      opening: { ...launch.opening, oneTurn },
    },
    firstSignal: launch.firstSignal,
    lingerMs: checked.budgets.lingerMs,
    tap,
    attachStderr: ({ stderr }) => reportStderr(stderr, checked.log, redactor),
  })
}
