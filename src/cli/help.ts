import type { Command } from './command.ts'
import { flagRows } from './flags.ts'
import { type Style, table } from './output.ts'

const exitCodeRows = [
  ['  0', 'success'],
  ['  1', 'the turn failed, a check does not hold, or nothing was checked'],
  ['  2', 'the command line or an option is wrong; nothing was started'],
  ['  3', 'interrupted: Ctrl-C, a kill, or nobody reads stdout any more'],
  ['  4', 'a timeout ran out'],
  ['  130', 'a second Ctrl-C: left without waiting'],
]

export function generalHelp(commands: Readonly<Record<string, Command>>, style: Style): string[] {
  return [
    'Drives coding-agent CLIs and shows what they do as one stream of events.',
    '',
    `${style.bold('Usage:')} coxswain COMMAND ...`,
    '',
    style.bold('Commands:'),
    ...table(Object.values(commands).map(({ usage, about }) => [`  ${usage}`, about])),
    '',
    style.bold('Adapters:'),
    '  claude-code, codex-cli, cursor-cli, pi-cli; the first word is enough',
    '',
    style.bold('Exit codes:'),
    ...table(exitCodeRows),
    '',
    '"coxswain COMMAND --help" tells more of one. NO_COLOR and FORCE_COLOR are respected.',
  ]
}

export function commandHelp({ usage, about, details = [], flags }: Command, style: Style): string[] {
  return [
    `${style.bold('Usage:')} coxswain ${usage}`,
    '',
    `${about.charAt(0).toUpperCase()}${about.slice(1)}.`,
    ...details,
    '',
    style.bold('Flags:'),
    ...table([...flagRows(flags), ['  -h, --help', 'this']]),
    '',
    style.bold('Exit codes:'),
    ...table(exitCodeRows),
  ]
}
