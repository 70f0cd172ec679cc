import { type AdapterReport, doctor } from '../run/doctor.ts'
import type { CommandLine, Flag } from './flags.ts'
import { exitCodes, type Screen } from './io.ts'
import { namedAdapter } from './named-adapter.ts'
import type { Style } from './output.ts'

export const doctorFlags: readonly Flag[] = [{ name: 'json', help: 'print the report as JSON' }]

export async function doctorCommand(line: CommandLine, { io, out }: Screen): Promise<number> {
  const names = line.positionals
  const report = await doctor({
    environment: { ...io.environment },
    ...(names.length > 0 && { adapters: names.map(namedAdapter) }),
  })
  if (line.values.has('json')) {
    await out.line(JSON.stringify(report, undefined, 2))
  } else {
    await out.line(`Node ${report.node} on ${report.platform}`)
    for (const each of report.adapters) for (const row of describe(each, out.style)) await out.line(row)
  }
  const usable = report.adapters.every(({ problem, home }) => problem === undefined && home.usable)
  return names.length > 0 && !usable ? exitCodes.error : exitCodes.success
}

function describe(report: AdapterReport, style: Style): string[] {
  const { adapter, title, binary, version, versions, tested, problem, home } = report
  const good = problem === undefined && home.usable
  const tests = {
    yes: 'tested',
    newer: `newer than ${versions.tested}, the newest tested`,
    too_old: `too old: ${versions.floor} is the oldest that works`,
    unknown: `cannot be told; tested are ${versions.floor} to ${versions.tested}`,
  }
  const credentials = report.credentials.map(
    ({ set, billing, variables, inUse }) =>
      `${set} (${variables.join(', ')}; billed to ${billing}${inUse ? '' : '; incomplete, not used'})`,
  )
  const rows: [string, string][] = [
    ['found', binary ?? style.red('no')],
    ...(version === undefined
      ? []
      : [['version', `${version}, ${tests[tested]}`] satisfies [string, string]]),
    ...(problem
      ? [['problem', `${problem.message} ${problem.hint ?? ''}`.trim()] satisfies [string, string]]
      : []),
    ['sign-in', report.signIn.join(', ') || 'no file'],
    ['credentials', credentials.join('; ') || 'none in the environment'],
    ['who pays', report.payer],
    ['home', `${home.directory}${home.usable ? '' : style.red(' cannot be written')}`],
    ...report.limits.map((limit, index): [string, string] => [index === 0 ? 'limits' : '', limit]),
  ]
  return [
    '',
    `${good ? style.green('●') : style.red('●')} ${style.bold(title)} (${adapter})`,
    ...rows.map(([what, text]) => `  ${style.dim(what.padEnd(12))}${text}`),
  ]
}
