import type { AgentEvent } from '../../src/index.ts'
import type { ModelRequest, Reply } from '../../src/testing/scenario.ts'
import { type RealCli, realCli } from './clis.ts'
import { Workbench } from './workbench.ts'

export const newest = realCli('claude-2.1')
export const claude20 = realCli('claude-2.0')
export const clis = [newest, claude20, realCli('claude-1.0')].map((cli) => [cli.version, cli] as const)
export const liveClis = clis.slice(0, 2)

/** 2.0.72 warms its sub-agents up with requests of their own; others are there to name or to judge something. */
export const isSteered = ({ offeredTools, userTexts }: ModelRequest) =>
  offeredTools.length > 0 && !userTexts.includes('Warmup')

export const open = (cli: RealCli, replies: () => readonly Reply[]) =>
  Workbench.open(cli, (request, held): Reply => {
    if (!isSteered(request)) return { text: 'Aye.' }
    return replies()[held] ?? { text: 'Aye.' }
  })

/** Each call with what became of it. */
export function ends(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === 'tool' && event.phase === 'end'
      ? [`${event.server ?? 'claude'}/${event.name} ${event.status}`]
      : [],
  )
}

export const steps = (bench: Workbench) => bench.steps().filter(isSteered)
export const offers = (bench: Workbench) => steps(bench).map(({ offeredTools }) => [...offeredTools].sort())
