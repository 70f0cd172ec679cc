import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scenarios } from '../../src/testing/scenarios.ts'
import { namedClis, type RealCli } from './clis.ts'
import { Workbench } from './workbench.ts'

/** Files that start something of the user's or of the project's, each leaving its name in a folder when it fires. */
function canaries(
  adapter: RealCli['adapter'],
  home: string,
  project: string,
  fired: string,
): Record<string, string> {
  const touch = (name: string) => `touch ${join(fired, name)}`
  const hooks = (name: string) =>
    JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: touch(name) }] }] } })
  const servers = (name: string) =>
    JSON.stringify({ mcpServers: { canary: { type: 'stdio', command: 'sh', args: ['-c', touch(name)] } } })
  const toml = (name: string) => `[mcp_servers.canary]\ncommand = "sh"\nargs = ["-c", "${touch(name)}"]\n`
  const extension = (name: string) =>
    `import { writeFileSync } from 'node:fs'\nexport default function () { writeFileSync(${JSON.stringify(join(fired, name))}, '') }\n`
  switch (adapter) {
    case 'claude-code':
      return {
        [join(home, '.claude/settings.json')]: hooks('user-hook'),
        [join(home, '.claude.json')]: servers('user-mcp'),
        [join(home, '.claude/CLAUDE.md')]: 'USER-INSTRUCTIONS',
        [join(project, '.claude/settings.json')]: hooks('project-hook'),
        [join(project, '.mcp.json')]: servers('project-mcp'),
        [join(project, 'CLAUDE.md')]: 'PROJECT-INSTRUCTIONS',
      }
    case 'codex-cli':
      return {
        [join(home, '.codex/config.toml')]: toml('user-mcp'),
        [join(home, '.codex/AGENTS.md')]: 'USER-INSTRUCTIONS',
        [join(project, '.codex/config.toml')]: toml('project-mcp'),
        [join(project, 'AGENTS.md')]: 'PROJECT-INSTRUCTIONS',
      }
    case 'pi-cli':
      return {
        [join(home, '.pi/agent/extensions/canary.ts')]: extension('user-extension'),
        [join(home, '.pi/agent/AGENTS.md')]: 'USER-INSTRUCTIONS',
        [join(project, '.pi/extensions/canary.ts')]: extension('project-extension'),
        [join(project, 'AGENTS.md')]: 'PROJECT-INSTRUCTIONS',
      }
  }
}

describe.each(namedClis)('%s', (_, cli) => {
  test.each([
    { projectInstructions: true, sent: ['PROJECT-INSTRUCTIONS'] },
    { projectInstructions: false, sent: [] },
  ])(
    'no hook, server or extension fires, and of the instructions $sent are sent (projectInstructions: $projectInstructions)',
    async ({ projectInstructions, sent }) => {
      const bench = await Workbench.open(cli, scenarios.text)
      const home = join(bench.folder, 'user-home')
      const fired = join(bench.folder, 'fired')
      await mkdir(fired)
      for (const [path, content] of Object.entries(canaries(cli.adapter, home, bench.cwd, fired))) {
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, content)
      }
      const { XDG_CONFIG_HOME: _, CODEX_HOME: __, CLAUDE_CONFIG_DIR: ___, ...base } = bench.environment
      const { completion } = await bench.turn({ environment: { ...base, HOME: home }, projectInstructions })
      if (cli.version === '0.63.2' && !projectInstructions) {
        // It has no switch for them, and no turn starts that would send them all the same.
        expect(completion).toMatchObject({ status: 'error', error: { code: 'unsupported' } })
        expect(bench.server.requests).toEqual([])
        return
      }
      expect(completion.status).toBe('success')
      expect(await readdir(fired)).toEqual([])
      const told = JSON.stringify(bench.steps().map(({ body }) => body))
      expect(['USER-INSTRUCTIONS', 'PROJECT-INSTRUCTIONS'].filter((words) => told.includes(words))).toEqual(
        sent,
      )
    },
  )
})
