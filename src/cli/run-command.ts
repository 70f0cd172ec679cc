import type { AgentEvent } from '../protocol/events.ts'
import { type CommandLine, type Flag, UsageError } from './flags.ts'
import { exitCodeFor, followTurn } from './follow-turn.ts'
import type { Screen } from './io.ts'
import { namedAdapter } from './named-adapter.ts'
import { TurnRenderer } from './render.ts'
import { promptWithImages, turnFlags, turnOptionsOf } from './turn-flags.ts'

export const runFlags: readonly Flag[] = [
  { name: 'json', help: 'print the events, one JSON object per line' },
  { name: 'raw', help: "with --json: each event with the CLI's own record" },
  { name: 'verbose', short: 'v', help: "show notices and the CLI's stderr, too" },
  ...turnFlags,
]

export async function runCommand(line: CommandLine, screen: Screen): Promise<number> {
  const { out, err, io } = screen
  const { values } = line
  const [name, ...words] = line.positionals
  const adapter = namedAdapter(name)
  const prompt = promptWithImages(await promptOf(words, screen), line)
  if (values.has('raw') && !values.has('json')) throw new UsageError('--raw needs --json.')
  const verbose = values.has('verbose')
  const renderer = new TurnRenderer(out, err, { verbose })
  const show = values.has('json')
    ? (event: AgentEvent) => out.write(`${JSON.stringify(event)}\n`)
    : (event: AgentEvent) => renderer.render(event)
  const completion = await followTurn(
    {
      ...turnOptionsOf(line, io.environment),
      adapter,
      prompt,
      environment: { ...io.environment },
      includeRaw: values.has('raw'),
      ...(verbose && { log: ({ message }) => void err.line(err.style.dim(message)) }),
    },
    screen,
    show,
  )
  return exitCodeFor(completion)
}

/** From the command line, or from stdin where there is none on it. */
export async function promptOf(words: readonly string[], { io }: Screen): Promise<string> {
  const [word, ...more] = words
  if (more.length > 0) {
    throw new UsageError('The prompt is more than one word of the shell.', 'Put it in quotes.')
  }
  if (word !== undefined && word !== '-') return word
  if (io.stdin.isTTY && word === undefined) {
    throw new UsageError('There is no prompt.', 'Give one in quotes, or on stdin.')
  }
  const chunks: Buffer[] = []
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
