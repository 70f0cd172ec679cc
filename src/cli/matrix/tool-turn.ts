import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentError } from '../../errors.ts'
import type { SessionOptions } from '../../options/turn-options.ts'
import { openSession } from '../../run/session.ts'
import { startTurn } from '../../run/turn.ts'
import type { Reply } from '../../testing/scenario.ts'
import { toolTurnAnswer } from '../../testing/scenarios.ts'
import type { Bench } from './bench.ts'
import { faultsOf, type Watched, watch } from './watch.ts'

/** How one tool turn arrived. */
export interface ToolTurnFigures {
  cliVersion: string | undefined
  /** Fragments of the answer, of the reasoning. */
  contentDeltas: number
  thinkingDeltas: number
  toolStarts: number
  toolEnds: number
  /** From the call that starts the process to the first text, thinking or tool call. */
  firstSignalMs: number | undefined
  /** Between two events after that. */
  longestSilenceMs: number | undefined
  /** 'one block': the answer came without a single fragment. */
  delivery: 'fragments' | 'one block' | 'nothing'
}

/** A command of the shell that writes a file, and what proves that it ran. */
export interface Errand {
  command: string
  prompt: string
  file: string
  content: string
  /** What the shell says. */
  receipt: string
}

export function errand(): Errand {
  const [content, receipt] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')]
  const file = `written-${randomBytes(4).toString('hex')}.txt`
  const command = `printf %s ${content} > ${file} && echo done ${receipt}`
  const prompt = `Run exactly this command in your shell, once: ${command}\nThen say in one sentence that it is done.`
  return { command, prompt, file, content, receipt }
}

/** Runs a tool turn. What the CLI says of it counts for nothing: the file does, and what the model got to read. */
export async function measureToolTurn(bench: Bench): Promise<{ figures: ToolTurnFigures; faults: string[] }> {
  const { command, prompt, file, content, receipt } = errand()
  const replies: Reply[] = [
    {
      thinking: 'The user wants one command. I run it and look at what it says.',
      text: 'I run it now.',
      toolCalls: [{ name: 'shell', input: { command } }],
    },
    { thinking: 'That worked, so I sum up.', text: toolTurnAnswer },
  ]
  const watched = await runTurn(bench, bench.playing(replies), prompt)
  const { events, completion, firstSignalMs, longestSilenceMs } = watched
  const session = events.find((event) => event.type === 'session')
  const tools = events.filter((event) => event.type === 'tool')
  const ends = tools.filter((event) => event.phase === 'end')
  const deltas = events.filter((event) => event.type === 'delta')
  const fragments = deltas.filter(({ contentDelta }) => contentDelta).length
  const written = await readFile(join(bench.cwd, file), 'utf8').catch(() => undefined)
  const faults = [
    ...faultsOf(watched),
    ...(session && session.transport !== bench.transport
      ? [`it ran on the ${session.transport} transport`]
      : []),
    ...(written === content ? [] : [writtenFault(written)]),
    ...(ends.some(({ status }) => status === 'completed') ? [] : ['no tool call ended as completed']),
    ...(bench.wasTold(receipt) === false ? ['the model never got to read what the shell said'] : []),
    ...(bench.model === 'account' || completion.text === toolTurnAnswer
      ? []
      : ['the answer is not what the model said']),
  ]
  return {
    figures: {
      cliVersion: session?.cliVersion,
      contentDeltas: fragments,
      thinkingDeltas: events.filter((event) => event.type === 'thinking' && event.contentDelta).length,
      toolStarts: tools.filter(({ phase }) => phase === 'start').length,
      toolEnds: ends.length,
      firstSignalMs,
      longestSilenceMs,
      delivery: fragments > 0 ? 'fragments' : deltas.length > 0 ? 'one block' : 'nothing',
    },
    faults,
  }
}

export function writtenFault(content: string | undefined): string {
  return content === undefined
    ? 'the file was not written, whatever the CLI said'
    : 'the file holds something else'
}

/** One turn on the cell's transport. Throws AgentError where its process was never started. */
export async function runTurn(bench: Bench, options: SessionOptions, prompt: string): Promise<Watched> {
  const since = performance.now()
  if (bench.transport === 'structured') return started(await watch(startTurn({ ...options, prompt }), since))
  await using session = await openSession(options)
  return await watch(session.send(prompt), since)
}

function started(watched: Watched): Watched {
  const { error, evidence } = watched.completion
  if (error && evidence.by === 'spawn') throw new AgentError(error.code, error.message)
  return watched
}
