import { type AdapterReport, doctor } from '../run/doctor.ts'
import { paymentWords, setWords, signInWords } from './considered.ts'
import type { CommandLine, Flag } from './flags.ts'
import { exitCodes, type Screen } from './io.ts'
import { namedAdapter } from './named-adapter.ts'
import { type Style, wrap } from './output.ts'

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
    for (const each of report.adapters) {
      for (const row of describe(each, out.style, names.length > 0)) await out.line(row)
    }
  }
  const usable = report.adapters.every(({ problem, home }) => problem === undefined && home.usable)
  return names.length > 0 && !usable ? exitCodes.error : exitCodes.success
}

/** What a terminal shows at the least. */
const columns = 80
const label = 14

/** What the agent's own shell could read of the credential. */
function exposureWords({ credentialExposure, where, advice }: AdapterReport['exposure']): string[] {
  if (credentialExposure === 'hidden') return ['cannot read the credential']
  if (credentialExposure !== 'visible') return []
  return [`can read the credential ${where ?? ''}. ${advice ?? ''}`.trim()]
}

function describe(report: AdapterReport, style: Style, asked: boolean): string[] {
  const { adapter, title, binary, version, versions, tested, problem, home, signIn } = report
  const good = problem === undefined && home.usable
  const tests = {
    yes: 'tested',
    newer: `newer than ${versions.tested}, the newest tested`,
    too_old: `too old: ${versions.floor} is the oldest that works`,
    unknown: `cannot be told; tested are ${versions.floor} to ${versions.tested}`,
  }
  const signedIn = { yes: 'yes', no: 'no', unknown: 'cannot be told' }[report.signedIn]
  const rows: [string, string[]][] = [
    ['found', [binary ?? 'no']],
    ['version', version === undefined ? [] : [`${version}, ${tests[tested]}`]],
    ['problem', problem ? [`${problem.message} ${problem.hint ?? ''}`.trim()] : []],
    ['signed in', signIn.length > 0 ? signIn.map(signInWords) : [signedIn]],
    ['credentials', report.credentials.map(setWords)],
    ['would use', [paymentWords({ payer: report.payer, by: report.wouldUse })]],
    ['shell', exposureWords(report.exposure)],
    ['home', [home.usable ? home.directory : `${home.directory} cannot be written`.trim()]],
    // Those of a CLI that is not here are told to who asks for it.
    ['limits', asked || binary !== undefined ? report.limits.map((limit) => `- ${limit}`) : []],
  ]
  return [
    '',
    `${good ? style.green('●') : style.red('●')} ${style.bold(title)} (${adapter})`,
    ...rows.flatMap(([what, texts]) =>
      texts
        .flatMap((text) => wrap(text, columns - label))
        .map((line, index) => {
          const name = (index === 0 ? `  ${what}` : '').padEnd(label)
          return what === 'problem' ? `${style.red(name)}${line}` : `${style.dim(name)}${line}`
        }),
    ),
  ]
}
