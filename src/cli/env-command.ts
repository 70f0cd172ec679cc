import { explainEnvironment } from '../run/explain-environment.ts'
import type { CommandLine, Flag } from './flags.ts'
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
  const adapter = namedAdapter(line.positionals[0])
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
      return [colour(fate), name, rule + (set === undefined ? '' : ` (${set})`), report.rules[rule] ?? '']
    })
  for (const row of table(rows)) await out.line(row)
  const { sets, signIn } = report.credentials
  const used = sets.length > 0 ? sets.join(', ') : 'none in the environment'
  await out.line()
  await out.line(`Credentials: ${used}${signIn ? "; the user's sign-in is linked where there is one" : ''}.`)
  return exitCodes.success
}
