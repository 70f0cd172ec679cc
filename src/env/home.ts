import { posix } from 'node:path'
import { AgentError } from '../errors.ts'
import type { Environment } from './report.ts'

/** Where a CLI keeps what is the user's, as an adapter declares it. */
export interface HomeLayout {
  variable: string
  /** Relative to HOME. */
  userDirectory: string
  signIn: readonly string[]
  conversations: readonly string[]
}

export type HomeChoice = 'private' | 'user' | { directory: string }
export type ConversationsChoice = 'keep' | 'discard' | { directory: string }

export interface HomeRequest {
  layout: HomeLayout
  /** The adapter's id. */
  adapter: string
  /** Of the process that is to be started; names the private directory. */
  id: string
  /** Default 'private'. */
  home?: HomeChoice | undefined
  /** Default 'keep'. */
  conversations?: ConversationsChoice | undefined
  /** The base environment: a CLI that the user has moved with its own variable is found by it. */
  environment: Environment
  /** Absolute: the user's home directory, as the child sees it. */
  userHome: string
  /** From `resolveStateDirectory`. */
  stateDirectory: string
  /** Whether the user's sign-in may reach the child: `credentials.signIn` of the composed environment. */
  signIn: boolean
  /** The child talks to another endpoint. */
  hasEndpoint?: boolean | undefined
}

export interface HomeLink {
  path: string
  target: string
  /**
   * 'sign-in': made only if the target is there and the path is not.
   * 'conversations': the target is one of `directories`; a directory that is already at the path stays, and its
   * conversations with it.
   */
  kind: 'sign-in' | 'conversations'
}

/** What the runner does about the home: in this order, and `remove` when the process's time is over. */
export interface HomePlan {
  /** The configuration directory; undefined with home 'user'. */
  directory: string | undefined
  /** The user's own configuration directory. Only read, and written through links. */
  userDirectory: string
  /** To be made where missing, mode 0700, parents first. */
  directories: string[]
  /** Sign-ins that must not reach the child: a link at such a path is removed, a file there ends the turn before it starts. */
  absent: string[]
  links: HomeLink[]
  /** Goes on top of the composed environment. */
  environment: Record<string, string>
  /** Directories to be removed at the end, with everything in them; links are never followed. */
  remove: string[]
  /** Where private homes of this adapter stand: what a dead process left is found here. */
  homes: string
}

/** Plans a configuration home. Reads and writes nothing. Throws `invalid_options` for what a home cannot give. */
export function planHome(request: HomeRequest): HomePlan {
  const { layout, stateDirectory } = request
  const home = request.home ?? 'private'
  const moved = request.environment[layout.variable]?.trim()
  const userDirectory =
    moved && posix.isAbsolute(moved)
      ? posix.normalize(moved)
      : posix.join(request.userHome, layout.userDirectory)
  const homes = posix.join(stateDirectory, 'coxswain', 'homes', request.adapter)
  const conversations = request.conversations ?? 'keep'
  if (home === 'user') {
    refuseForUserHome(request)
    return {
      directory: undefined,
      userDirectory,
      directories: [],
      absent: [],
      links: [],
      environment: moved ? { [layout.variable]: moved } : {},
      remove: [],
      homes,
    }
  }
  const isPrivate = home === 'private'
  const directory = isPrivate ? posix.join(homes, request.id) : absolute(home.directory, 'home.directory')
  if (!isPrivate && conversations === 'discard') {
    throw new AgentError('invalid_options', "conversations 'discard' needs home 'private'.", {
      hint: 'A home directory of yours is kept as it is; take a private home, or keep the conversations.',
    })
  }
  const archives = conversationLinks(request, directory, conversations)
  const signIns = layout.signIn.map((name) => posix.join(directory, name))
  const parents = isPrivate ? [posix.join(stateDirectory, 'coxswain'), posix.dirname(homes), homes] : []
  return {
    directory,
    userDirectory,
    directories: unique([...parents, directory, ...archives.directories, ...parentsOf(layout, directory)]),
    absent: request.signIn || isPrivate ? [] : signIns,
    links: [
      ...(request.signIn ? layout.signIn : []).map((name) => ({
        path: posix.join(directory, name),
        target: posix.join(userDirectory, name),
        kind: 'sign-in' as const,
      })),
      ...archives.links,
    ],
    environment: layout.variable === '' ? {} : { [layout.variable]: directory },
    remove: isPrivate ? [directory] : [],
    homes,
  }
}

function conversationLinks(request: HomeRequest, directory: string, choice: ConversationsChoice) {
  if (choice === 'discard') return { directories: [], links: [] }
  const state = posix.join(request.stateDirectory, 'coxswain')
  const root =
    choice === 'keep'
      ? posix.join(state, 'conversations')
      : absolute(choice.directory, 'conversations.directory')
  const folder = posix.join(root, request.adapter)
  const links: HomeLink[] = request.layout.conversations.map((name) => ({
    path: posix.join(directory, name),
    target: posix.join(folder, name),
    kind: 'conversations',
  }))
  const above = choice === 'keep' ? [state, root] : [root]
  return { directories: [...above, folder, ...links.map((link) => link.target)], links }
}

/** Directories inside the home that a nested link needs. */
function parentsOf(layout: HomeLayout, directory: string): string[] {
  return [...layout.signIn, ...layout.conversations]
    .map((name) => posix.dirname(posix.join(directory, name)))
    .filter((parent) => parent !== directory)
}

function unique(paths: string[]): string[] {
  return [...new Set(paths)]
}

function absolute(path: string, option: string): string {
  if (posix.isAbsolute(path)) return posix.normalize(path)
  throw new AgentError(
    'invalid_options',
    `${option} must be an absolute path, not ${JSON.stringify(path)}.`,
    {
      hint: 'Resolve it first.',
    },
  )
}

/** The user's own directory is used as it is: nothing in it is linked, hidden or removed. */
function refuseForUserHome(request: HomeRequest): void {
  const wanted =
    request.hasEndpoint === true
      ? 'an endpoint'
      : request.conversations === 'discard' || typeof request.conversations === 'object'
        ? 'conversations of its own'
        : undefined
  if (wanted === undefined) return
  throw new AgentError('invalid_options', `home 'user' cannot be combined with ${wanted}.`, {
    hint: "The user's own configuration and sign-in stay as they are there; use home 'private'.",
  })
}

export interface StateDirectoryRequest {
  environment: Environment
  /** Absolute: the user's home directory, as the child sees it. */
  userHome: string
  /** Absolute: the home directory of the account, which HOME cannot change. */
  accountHome?: string | undefined
  /** Absolute, as given and resolved: what the system calls temporary. */
  temporaryDirectories: readonly string[]
}

/**
 * Where this package keeps homes and conversations: XDG_STATE_HOME, else ~/.local/state, also on macOS. Never below the
 * temporary directory, where codex 0.171 refuses to make its sandbox helpers: a HOME that lies there is passed over for the
 * account's own.
 */
export function resolveStateDirectory(request: StateDirectoryRequest): string {
  const configured = request.environment.XDG_STATE_HOME
  const candidates = [
    // The XDG rules have a relative path ignored.
    ...(configured && posix.isAbsolute(configured) ? [configured] : []),
    posix.join(request.userHome, '.local/state'),
    ...(request.accountHome ? [posix.join(request.accountHome, '.local/state')] : []),
  ]
  const found = candidates
    .map((path) => posix.normalize(path))
    .find((path) => !request.temporaryDirectories.some((temporary) => isBelow(path, temporary)))
  if (found !== undefined) return found
  throw new AgentError(
    'invalid_options',
    `The state directory would lie below the temporary directory: ${candidates[0]}.`,
    {
      hint: 'Set XDG_STATE_HOME to a directory of the user outside of it.',
    },
  )
}

function isBelow(path: string, directory: string): boolean {
  const relative = posix.relative(posix.normalize(directory), path)
  return relative === '' || !(relative === '..' || relative.startsWith('../'))
}
