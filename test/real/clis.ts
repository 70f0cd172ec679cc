import { type RealCli, realClis } from '../../scripts/real-clis.mjs'

export { ensureRealClis, node24, type RealCli, realClis } from '../../scripts/real-clis.mjs'

export function realCli(alias: string): RealCli {
  const found = realClis.find((cli) => cli.alias === alias)
  if (!found)
    throw new Error(`No real CLI "${alias}"; there are ${realClis.map((cli) => cli.alias).join(', ')}.`)
  return found
}

/** For `describe.each(...)('%s', (_, cli) => ...)`. */
export const namedClis = realClis.map((cli) => [`${cli.adapter} ${cli.version}`, cli] as const)
