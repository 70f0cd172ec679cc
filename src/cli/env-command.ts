import { explainEnvironment } from '../run/explain-environment.ts'
import { paymentWords, setWords, signInWords } from './considered.ts'
import { type CommandLine, type Flag, UsageError } from './flags.ts'
import { exitCodes, type Screen } from './io.ts'
import { namedAdapter } from './named-adapter.ts'
import { table } from './output.ts'
import { turnFlags, turnOptionsOf } from './turn-flags.ts'

export const envFlags: readonly Flag[] = [
  { name: 'json', help: 'print the report as JSON' },
  ...turnFlags.filter(({ name }) =>
    /^(?:scope|inherit|reserve|git|credentials|endpoint|home|cwd)/.test(name),
  ),
]

export async function envCommand(line: CommandLine, { io, out }: Screen): Promise<number> {
  const [name, ...more] = line.positionals
  const adapter = namedAdapter(name)
  if (more.length > 0) throw new UsageError(`env takes no "${more[0]}".`, 'It takes one adapter.')
  const report = explainEnvironment({
    ...turnOptionsOf(line, io.environment),
    adapter,
    environment: { ...io.environment },
  })
  if (line.values.has('json')) {
    await out.line(JSON.stringify(report, undefined, 2))
    return exitCodes.success
  }
  const { style } = out
  const paint = { granted: style.green, kept: style.green, set: style.cyan, refused: style.red }
  const rows = [...report.entries]
    .sort((a, b) => a.fate.localeCompare(b.fate) || a.name.localeCompare(b.name))
    .map(({ fate, name, rule, set }) => {
      const colour = fate === 'dropped' || fate === 'absent' ? style.dim : paint[fate]
      return [colour(fate), name, rule + (set === undefined ? '' : ` (${set})`)]
    })
  for (const row of table(rows)) await out.line(row)
  await out.line()
  for (const row of table(Object.entries(report.rules))) await out.line(style.dim(row))
  await out.line()
  for (const each of report.considered) await out.line(`Credentials: ${setWords(each)}.`)
  for (const each of report.signIn) await out.line(`Sign-in: ${signInWords(each)}.`)
  await out.line(`Would use: ${paymentWords(report.payment)}.`)
  return exitCodes.success
}
