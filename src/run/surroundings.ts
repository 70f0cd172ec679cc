import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HomeDeclaration, Surroundings } from '../adapters/home-declaration.ts'

/** How deep codex 0.171 looks for skills below a folder, and in how many directories at most. */
const maxDepth = 6
const maxDirectories = 2_000

/** Looks at what the adapter's home declaration asks about. What cannot be read is not there for the CLI, either. */
export function lookAround(declaration: HomeDeclaration, userHome: string, cwd: string): Surroundings {
  const { skills = { user: [], project: [] }, consults = [] } = declaration
  const find = (directories: readonly string[], names: readonly string[]) => [
    ...new Set(
      directories.flatMap((directory) => names.flatMap((name) => skillsBelow(join(directory, name)))),
    ),
  ]
  return {
    skills: { user: find([userHome], skills.user), project: find(upwardsFrom(cwd), skills.project) },
    consulted: Object.fromEntries(consults.flatMap((name) => consult(cwd, name))),
  }
}

function consult(cwd: string, name: string): [string, string][] {
  try {
    return [[name, readFileSync(join(cwd, name), 'utf8')]]
  } catch {
    return []
  }
}

function upwardsFrom(directory: string): string[] {
  const above = dirname(directory)
  return above === directory ? [directory] : [directory, ...upwardsFrom(above)]
}

function skillsBelow(folder: string): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  const visit = (path: string, depth: number) => {
    const directory = realpathSync(path)
    if (seen.has(directory) || seen.size === maxDirectories) return
    seen.add(directory)
    for (const name of readdirSync(directory)) {
      const inside = join(directory, name)
      // Each by itself: one that cannot be read must not hide those that stand behind it.
      tolerate(() => {
        if (name === 'SKILL.md') found.push(realpathSync(inside))
        else if (depth < maxDepth && isDirectory(inside)) visit(inside, depth + 1)
      })
    }
  }
  tolerate(() => visit(folder, 0))
  return found
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function tolerate(look: () => void): void {
  try {
    look()
  } catch {
    // Not there, or not ours to read.
  }
}
