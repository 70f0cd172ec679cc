import { createHash } from 'node:crypto'
import { AgentError } from '../../errors.ts'
import { nativeLimit } from '../../options/tool-policy.ts'
import type { LaunchContext, PlannedFile } from '../adapter.ts'
import type { LaunchMcpServer, LiveLaunchOptions } from '../launch-options.ts'
import { cursorNativeTools, cursorPermissions } from './native-tools.ts'

type Options = Pick<LiveLaunchOptions, 'tools' | 'mcpServers' | 'home' | 'cwd'>

/** As another client and forum posts have the file, and what of an entry is approved. Nobody has seen it work from a private home. */
type Entry = { command: string; args: string[]; env?: object } | { url: string; headers?: object }

/** The private mcp.json, with the approvals that the CLI would ask a person for. */
export function serverFiles(options: Options, context: LaunchContext): PlannedFile[] {
  const servers = Object.entries(options.mcpServers).map(([name, server]) => {
    refuseExpansion(name, server)
    return [name, entryOf(server)] as const
  })
  const { home } = context
  if (servers.length === 0) {
    // What an earlier turn left in a home that is kept.
    return typeof options.home === 'object' && home !== undefined ? [serversFile([])] : []
  }
  if (home === undefined) {
    throw new AgentError('unsupported', "cursor-cli cannot use `mcpServers` or `bridge` with home: 'user'.", {
      hint: 'It reads its MCP servers from its configuration directory: leave `home` out.',
    })
  }
  // They are kept by the repository's root, which is the working directory or one above it.
  const approvals = andAbove(context.realCwd ?? options.cwd).map((path) => ({
    path: `projects/${slugOf(path)}/mcp-approvals.json`,
    content: JSON.stringify(servers.map(([name, server]) => approvalOf(name, server, path))),
  }))
  return [serversFile(servers), ...approvals]
}

/** What `permissions` of cli-config.json says of this turn's tools. A denial holds under every `approvals`. */
export function toolPermissions({ tools, mcpServers }: Options, context: LaunchContext) {
  const { deny, strict } = tools
  const own = cursorNativeTools.map(({ name }) => name)
  const denied = own.filter((name) => deny.includes(name))
  if (nativeLimit(tools, own) !== undefined) {
    throw new AgentError('unsupported', 'cursor-cli cannot limit its own tools to those of tools.allow.', {
      hint: `Deny them one by one: ${Object.keys(cursorPermissions).join(', ')}.`,
    })
  }
  const beyond = denied.find((name) => cursorPermissions[name] === undefined)
  if (beyond !== undefined || (denied.length > 0 && (strict || context.home === undefined))) {
    throw new AgentError(
      'unsupported',
      `cursor-cli cannot take ${beyond ?? denied[0]} away${beyond === undefined ? ' there: it can only refuse its calls, in a home of its own' : ''}.`,
      {
        hint: `Without tools.strict and home: 'user', calls of these can be denied: ${Object.keys(cursorPermissions).join(', ')}.`,
      },
    )
  }
  const servers = Object.entries(mcpServers)
  const named = (server: string, names: readonly string[]) => names.map((name) => `Mcp(${server}:${name})`)
  return {
    allow: servers.flatMap(([name, server]) => named(name, server.tools)),
    deny: [
      ...new Set(denied.flatMap((name) => cursorPermissions[name] ?? [])),
      ...servers.flatMap(([name, server]) => named(name, server.hidden)),
    ],
  }
}

function serversFile(servers: readonly (readonly [string, Entry])[]): PlannedFile {
  const content = { mcpServers: Object.fromEntries(servers) }
  return { path: 'mcp.json', content: `${JSON.stringify(content, undefined, 2)}\n` }
}

function entryOf(server: LaunchMcpServer): Entry {
  if (server.type === 'http') {
    return { url: server.url, ...(server.headers && { headers: server.headers }) }
  }
  const { command, args = [], env } = server
  return { command, args: [...args], ...(env && { env }) }
}

/** Cursor puts `${env:NAME}`, `${userHome}` and others into these fields, and no way is known to keep it from that. */
function refuseExpansion(name: string, server: LaunchMcpServer): void {
  if (!JSON.stringify(entryOf(server)).includes('${')) return
  throw new AgentError(
    'unsupported',
    `cursor-cli would put something in the place of \${...} in the MCP server ${name}.`,
    {
      hint: 'Write the value out.',
    },
  )
}

function approvalOf(name: string, server: Entry, path: string): string {
  const hash = createHash('sha256').update(JSON.stringify({ path, server })).digest('hex')
  return `${name}-${hash.slice(0, 16)}`
}

function slugOf(path: string): string {
  return path.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')
}

/** '/w/a' is ['/w/a', '/w']: nobody keeps a repository at the root. */
function andAbove(path: string): string[] {
  const parts = path.split('/').filter(Boolean)
  return parts.map((_, index) => `/${parts.slice(0, parts.length - index).join('/')}`)
}
