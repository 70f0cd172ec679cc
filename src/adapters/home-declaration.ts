export type SignInBilling = 'api' | 'subscription' | 'mixed' | 'unknown' | 'none'

/** Where a CLI keeps what is the user's, and which of it a private home links. */
export interface HomeDeclaration {
  /** The variable that moves the configuration directory: 'CODEX_HOME'. Empty: nothing moves it. */
  variable: string
  /** The user's own directory, relative to HOME: '.codex'. */
  userDirectory: string
  /** Files of the user's directory that are the sign-in; linked, never copied, when credentials are 'inherit'. */
  signIn: readonly string[]
  /**
   * Who pays for a sign-in, told by what its file holds (parsed JSON, undefined where it is none); 'none': it signs nobody in.
   * Only this word is kept of it. `model`: the turn's own, for a file that signs in to several providers. Pure. Absent: unknown.
   */
  signInBilling?(content: unknown, model: string | undefined): SignInBilling
  /** true: the CLI also finds a sign-in that does not move with the directory, so that seeing none proves nothing. */
  signInElsewhere?: boolean | undefined
  /**
   * Files and folders that can name a credential or a provider of their own, so that nobody can tell who pays where one is there:
   * of a home that is kept, relative to it, and of a trusted project, relative to the working directory and to those above it,
   * up to the repository's root.
   */
  payingSettings?: { home: readonly string[]; project: readonly string[] } | undefined
  /** Directories inside the home that hold transcripts; linked to the `conversations` folder. */
  conversations: readonly string[]
  /**
   * Where, relative to the home, a conversation is kept. Declared by a CLI that takes an unknown id for a new conversation's
   * without a word: the runner looks there before it resumes in a private home, and rejects what is not there. Pure.
   */
  conversation?(sessionId: string, cwd: string): string
  /**
   * Folders of skills that reach this CLI in every home, so that `launch` has to turn each skill off: those of the user, relative
   * to HOME, and those of a project, relative to the working directory and to every directory above it.
   */
  skills?: { user: readonly string[]; project: readonly string[] } | undefined
  /** Files of the working directory that decide what `launch` can honour: it gets their text. */
  consults?: readonly string[] | undefined
}

/** What lies about where a CLI will find it, whatever home it is given. */
export interface Surroundings {
  /** Absolute paths of SKILL.md files, links resolved. */
  skills: { user: readonly string[]; project: readonly string[] }
  /** The text of those files of `HomeDeclaration.consults` that are there. */
  consulted: Readonly<Record<string, string>>
}
