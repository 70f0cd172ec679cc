import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ModelRequest } from '../../src/testing/scenario.ts'
import type { RealCli } from './clis.ts'

/** Where canaries are planted. `cwd` lies in the repository `root`. */
export interface Places {
  /** The user's HOME. */
  home: string
  root: string
  cwd: string
  /** Where one that runs leaves its name. */
  fired: string
}

/**
 * Plants one canary for each way in which a CLI takes up what the user or the project has lying about. A canary that runs leaves
 * its name in `fired`; one that only speaks says its name to the model.
 */
export async function plant(adapter: RealCli['adapter'], places: Places): Promise<void> {
  await mkdir(places.fired, { recursive: true })
  await mkdir(join(places.root, '.git/refs'), { recursive: true })
  await mkdir(join(places.root, '.git/objects'))
  const head = { [join(places.root, '.git/HEAD')]: 'ref: refs/heads/main\n' }
  for (const [path, content] of Object.entries({ ...head, ...planters[adapter](places) })) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
}

/** The names of those that ran, and of those that the model heard of. */
export async function heard(fired: string, requests: readonly ModelRequest[]): Promise<string[]> {
  const told = JSON.stringify(requests.map(({ body }) => body)).matchAll(/sings-([a-z-]+)/g)
  const names = new Set([...(await readdir(fired)), ...[...told].map((match) => match[1] ?? '')])
  return [...names].sort()
}

const sing = (name: string) => `Whoever reads this: it sings-${name}.\n`

const skill = (name: string) =>
  `---\nname: ${name}\ndescription: Use it when it sings-${name}.\n---\n# ${name}\n`

const planters: Record<RealCli['adapter'], (places: Places) => Record<string, string>> = {
  'claude-code': claude,
  'codex-cli': codex,
  'pi-cli': pi,
}

function claude({ home, root, cwd, fired }: Places): Record<string, string> {
  const hook = (name: string) => [{ hooks: [{ type: 'command', command: `touch ${join(fired, name)}` }] }]
  const settings = (name: string, more: object = {}) =>
    JSON.stringify({ hooks: { SessionStart: hook(name) }, ...more })
  const server = (name: string) => ({ type: 'stdio', command: 'touch', args: [join(fired, name)] })
  const servers = (name: string) => JSON.stringify({ mcpServers: { [name]: server(name) } })
  const market = (name: string) => ({
    enabledPlugins: { [`${name}@market-of-${name}`]: true },
    extraKnownMarketplaces: {
      [`market-of-${name}`]: { source: { source: 'directory', path: join(home, 'markets', name) } },
    },
  })
  const plugin = (folder: string, name: string) => ({
    [join(folder, '.claude-plugin/plugin.json')]: JSON.stringify({
      name,
      version: '1.0.0',
      description: name,
    }),
    [join(folder, 'hooks/hooks.json')]: JSON.stringify({ hooks: { SessionStart: hook(name) } }),
  })
  const marketplace = (name: string) => ({
    [join(home, 'markets', name, '.claude-plugin/marketplace.json')]: JSON.stringify({
      name: `market-of-${name}`,
      owner: { name: 'test' },
      plugins: [{ name, source: `./${name}`, description: name }],
    }),
    ...plugin(join(home, 'markets', name, name), name),
  })
  const day = '2026-01-01T00:00:00.000Z'
  const installed = (name: string) => join(home, `.claude/plugins/cache/market-of-${name}/${name}/1.0.0`)
  const known = (name: string) => ({
    [`market-of-${name}`]: {
      source: { source: 'directory', path: join(home, 'markets', name) },
      installLocation: join(home, 'markets', name),
      lastUpdated: day,
    },
  })
  const installation = (name: string, scope: object) => ({
    [`${name}@market-of-${name}`]: [
      { ...scope, installPath: installed(name), version: '1.0.0', installedAt: day, lastUpdated: day },
    ],
  })
  const library = (folder: string, level: string) => ({
    [join(folder, `skills/${level}-canary/SKILL.md`)]: skill(`${level}-skill`),
    [join(folder, `commands/${level}-command.md`)]:
      `---\ndescription: It sings-${level}-command.\n---\n${sing(`${level}-command`)}`,
    [join(folder, `agents/${level}-agent.md`)]:
      `---\nname: ${level}-agent\ndescription: It sings-${level}-agent.\n---\n${sing(`${level}-agent`)}`,
    [join(folder, 'rules/canary.md')]: sing(`${level}-rule`),
  })
  return {
    [join(home, '.claude/settings.json')]: settings('user-hook', market('user-plugin')),
    [join(home, '.claude.json')]: JSON.stringify({
      mcpServers: { 'user-mcp': server('user-mcp') },
      projects: {
        [cwd]: { hasTrustDialogAccepted: true, mcpServers: { 'user-local-mcp': server('user-local-mcp') } },
      },
    }),
    [join(home, '.claude/CLAUDE.md')]: sing('user-instructions'),
    ...library(join(home, '.claude'), 'user'),
    ...marketplace('user-plugin'),
    ...plugin(installed('user-plugin'), 'user-plugin'),
    ...plugin(installed('project-plugin'), 'project-plugin'),
    [join(home, '.claude/plugins/known_marketplaces.json')]: JSON.stringify({
      ...known('user-plugin'),
      ...known('project-plugin'),
    }),
    [join(home, '.claude/plugins/installed_plugins.json')]: JSON.stringify({
      version: 2,
      plugins: {
        ...installation('user-plugin', { scope: 'user' }),
        ...installation('project-plugin', { scope: 'project', projectPath: cwd }),
      },
    }),
    [join(home, '.agents/skills/user-agents-canary/SKILL.md')]: skill('user-agents-skill'),
    [join(cwd, '.claude/settings.json')]: settings('project-hook', market('project-plugin')),
    [join(cwd, '.claude/settings.local.json')]: settings('project-local-hook'),
    ...marketplace('project-plugin'),
    [join(cwd, '.mcp.json')]: servers('project-mcp'),
    ...library(join(cwd, '.claude'), 'project'),
    [join(cwd, '.agents/skills/project-agents-canary/SKILL.md')]: skill('project-agents-skill'),
    [join(cwd, 'CLAUDE.md')]: `${sing('project-instructions')}@notes/imported.md\n`,
    [join(cwd, 'notes/imported.md')]: sing('project-imported-instructions'),
    [join(cwd, '.claude/CLAUDE.md')]: sing('project-folder-instructions'),
    [join(cwd, 'CLAUDE.local.md')]: sing('project-local-instructions'),
    [join(cwd, 'AGENTS.md')]: sing('project-agents-instructions'),
    [join(root, '.claude/settings.json')]: settings('root-hook'),
    [join(root, '.mcp.json')]: servers('root-mcp'),
    ...library(join(root, '.claude'), 'root'),
    [join(root, 'CLAUDE.md')]: `${sing('root-instructions')}@notes/imported.md\n`,
    [join(root, 'notes/imported.md')]: sing('root-imported-instructions'),
    [join(root, '.claude/CLAUDE.md')]: sing('root-folder-instructions'),
    [join(root, 'CLAUDE.local.md')]: sing('root-local-instructions'),
    [join(dirname(root), 'CLAUDE.md')]: sing('above-instructions'),
  }
}

function codex({ home, root, cwd, fired }: Places): Record<string, string> {
  const marker = (name: string) => JSON.stringify(join(fired, name))
  const server = (name: string) =>
    `[mcp_servers.${name}]\ncommand = "touch"\nargs = [${marker(name)}]\nstartup_timeout_sec = 2\n`
  const notify = (name: string) => `notify = ["sh", "-c", ${JSON.stringify(`touch ${join(fired, name)}`)}]\n`
  const hooks = (name: string) => {
    const hook = [{ hooks: [{ type: 'command', command: `touch ${join(fired, name)}` }] }]
    return JSON.stringify({ hooks: { SessionStart: hook, UserPromptSubmit: hook } })
  }
  const agent = (name: string) =>
    `name = "${name}"\ndescription = "It sings-${name}."\ndeveloper_instructions = "Sing."\n`
  const level = (folder: string, name: string) => ({
    [join(folder, '.codex/hooks.json')]: hooks(`${name}-hook`),
    [join(folder, `.codex/agents/${name}-agent.toml`)]: agent(`${name}-agent`),
    [join(folder, `.codex/skills/${name}-canary/SKILL.md`)]: skill(`${name}-skill`),
    [join(folder, `.agents/skills/${name}-agents-canary/SKILL.md`)]: skill(`${name}-agents-skill`),
  })
  return {
    [join(home, '.codex/config.toml')]: `${notify('user-notify')}${server('user-mcp')}`,
    [join(home, '.codex/prompts/canary.md')]: sing('user-prompt'),
    [join(home, '.codex/AGENTS.md')]: sing('user-instructions'),
    ...level(home, 'user'),
    [join(cwd, '.codex/config.toml')]: `${notify('project-notify')}${server('project-mcp')}`,
    ...level(cwd, 'project'),
    [join(cwd, 'AGENTS.md')]: sing('project-instructions'),
    [join(root, '.codex/config.toml')]: server('root-mcp'),
    ...level(root, 'root'),
    [join(root, 'AGENTS.md')]: sing('root-instructions'),
    [join(dirname(root), 'AGENTS.md')]: sing('above-instructions'),
  }
}

function pi({ home, root, cwd, fired }: Places): Record<string, string> {
  const extension = (name: string) =>
    `import { writeFileSync } from 'node:fs'\nexport default function () { writeFileSync(${JSON.stringify(join(fired, name))}, '') }\n`
  const servers = (name: string) =>
    JSON.stringify({ mcpServers: { [name]: { command: 'touch', args: [join(fired, name)] } } })
  const level = (folder: string, name: string) => ({
    [join(folder, 'extensions/canary.ts')]: extension(`${name}-extension`),
    [join(folder, `skills/${name}-canary/SKILL.md`)]: skill(`${name}-canary`),
    [join(folder, 'prompts/sing.md')]: sing(`${name}-prompt`),
    [join(folder, 'APPEND_SYSTEM.md')]: sing(`${name}-system`),
    [join(folder, 'mcp.json')]: servers(`${name}-mcp`),
    [join(folder, 'package/package.json')]: JSON.stringify({ name, pi: { extensions: ['./canary.ts'] } }),
    [join(folder, 'package/canary.ts')]: extension(`${name}-package`),
    [join(folder, 'settings.json')]: JSON.stringify({
      packages: ['./package'],
      shellCommandPrefix: `touch ${join(fired, `${name}-shell-prefix`)}`,
    }),
  })
  return {
    ...level(join(home, '.pi/agent'), 'user'),
    [join(home, '.pi/agent/AGENTS.md')]: sing('user-instructions'),
    [join(home, '.agents/skills/user-agents-canary/SKILL.md')]: skill('user-agents-canary'),
    ...level(join(cwd, '.pi'), 'project'),
    [join(cwd, '.agents/skills/project-agents-canary/SKILL.md')]: skill('project-agents-canary'),
    [join(cwd, 'AGENTS.md')]: sing('project-instructions'),
    [join(root, '.agents/skills/root-agents-canary/SKILL.md')]: skill('root-agents-canary'),
    [join(root, 'AGENTS.md')]: sing('root-instructions'),
    [join(dirname(root), 'AGENTS.md')]: sing('above-instructions'),
  }
}
