import { describe, expect, test } from 'vitest'
import { type NativeShellProbeOptions, probeNativeShell } from '../../src/index.ts'
import { namedClis } from './clis.ts'

const all = {
  MCP_API_URL: 'set',
  MCP_MCP: 'set',
  MCP_CUSTOM: 'set',
  MCP_VIRTUAL: 'set',
  MCP_AUTH: 'set',
  MCP_API_TOKEN: 'set',
  MCP_SESSION_ID: 'set',
}

type Expected = { shell: boolean; loopback: boolean }

/** What each CLI's own shell does, by approvals and sandbox: the README's row says the same. */
const rows: Record<string, [NativeShellProbeOptions, Expected][]> = {
  'claude-code': [
    [{ approvals: 'deny' }, { shell: false, loopback: false }],
    [{ approvals: 'approve-all' }, { shell: true, loopback: true }],
  ],
  'codex-cli': [
    [{ sandbox: 'workspace-write' }, { shell: true, loopback: false }],
    [
      { sandbox: 'workspace-write', network: true },
      { shell: true, loopback: true },
    ],
    [{ approvals: 'approve-all' }, { shell: true, loopback: true }],
  ],
  'pi-cli': [[{ approvals: 'deny' }, { shell: true, loopback: true }]],
}

/** Two versions of each, and the last pi of its first name. */
const versions = ['2.0.72', '2.1.332', '0.113.0', '0.171.0', '0.73.1', '1.3.0', '1.6.0']

describe.each(namedClis.filter(([, { version }]) => versions.includes(version)))(
  "%s's own shell",
  (_name, cli) => {
    test.each(rows[cli.adapter] ?? [])('with %j', async (options, expected) => {
      const report = await probeNativeShell(cli.adapter, { ...options, binary: cli.binary })
      expect(report).toMatchObject({ adapter: cli.adapter, version: cli.version, ...expected })
      expect(report.variables).toEqual(
        expected.shell ? all : Object.fromEntries(Object.keys(all).map((name) => [name, 'unknown'])),
      )
    })
  },
)
