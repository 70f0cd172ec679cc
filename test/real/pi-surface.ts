import { realCli } from './clis.ts'

export const newest = realCli('pi-1.6')
export const pi13 = realCli('pi-1.3')
export const pi85 = realCli('pi-0.85')

export const withMcp = [newest, pi13].map((cli) => [cli.version, cli] as const)
export const fourteen = Array.from({ length: 14 }, (_, index) => `mcp__bridge__tool_${index + 1}`)
