import { isAgentError } from '../errors.ts'
import type { SessionOptions } from '../options/turn-options.ts'
import { chat } from './chat.ts'
import { chatLines } from './chat-lines.ts'
import { inFlags } from './flag-words.ts'
import { type CommandLine, type Flag, UsageError } from './flags.ts'
import { exitCodeOf } from './follow-turn.ts'
import { exitCodes, type Screen } from './io.ts'
import { namedAdapter } from './named-adapter.ts'
import { excerpt } from './output.ts'
import { oneOf, turnFlags, turnOptionsOf } from './turn-flags.ts'

/** What belongs to one prompt, or is not a session's to choose. */
const notOfASession = new Set(['image', 'transport', 'approvals'])

export const chatFlags: readonly Flag[] = [
  {
    name: 'approvals',
    value: 'WORD',
    help: 'ask (default on a terminal), deny (default elsewhere), auto or approve-all',
  },
  { name: 'json', help: 'print the events, one JSON object per line; reads lines as on a pipe' },
  { name: 'verbose', short: 'v', help: "show notices and the CLI's stderr, too" },
  ...turnFlags.filter(({ name }) => !notOfASession.has(name)),
]

export async function chatCommand(line: CommandLine, screen: Screen): Promise<number> {
  const { io, out, err } = screen
  const [name, ...words] = line.positionals
  const adapter = namedAdapter(name)
  if (words.length > 0) {
    throw new UsageError('A chat takes no prompt on the command line.', 'Type it, or use "coxswain run".')
  }
  const verbose = line.values.has('verbose')
  const json = line.values.has('json')
  const isTerminal = io.stdin.isTTY === true && out.isTerminal && !json
  const options: SessionOptions = {
    ...turnOptionsOf(withoutApprovals(line), io.environment),
    approvals: approvalsOf(line, isTerminal),
    adapter,
    environment: { ...io.environment },
    ...(verbose && { log: ({ message }) => void err.line(err.style.dim(message)) }),
  }
  try {
    return isTerminal
      ? await chat(options, screen, { verbose })
      : await chatLines(options, screen, { verbose, json })
  } catch (error) {
    if (!isAgentError(error) || exitCodeOf(error) === exitCodes.usage) throw error
    await err.line(`${err.style.red(`error ${error.code}`)}: ${excerpt(error.message, 500)}`)
    if (error.hint !== undefined) await err.line(`  ${inFlags(error.hint)}`)
    return exitCodes.error
  }
}

function withoutApprovals({ positionals, values }: CommandLine): CommandLine {
  return { positionals, values: new Map([...values].filter(([name]) => name !== 'approvals')) }
}

function approvalsOf({ values }: CommandLine, isTerminal: boolean): NonNullable<SessionOptions['approvals']> {
  const given = oneOf('approvals', values.get('approvals')?.[0], ['ask', 'deny', 'auto', 'approve-all'])
  if (given === 'ask' && !isTerminal) {
    throw new UsageError('--approvals ask needs a terminal to ask on.', 'It takes deny, auto, approve-all.')
  }
  if (given !== undefined && given !== 'ask') return given
  return isTerminal ? 'host' : 'deny'
}
