import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** An empty folder with the packed tarball installed in it, as a user's project. */
    consumer: string
    tarball: string
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Vitest's global setup of the project 'package': builds, packs, and installs the tarball in an empty folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'coxswain-package-'))
  await execa('npm', ['run', 'build'], { cwd: root })
  const { stdout } = await execa(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', folder],
    {
      cwd: root,
    },
  )
  const filename = /"filename":\s*"([^"]+)"/.exec(stdout)?.[1] ?? ''
  await writeFile(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }')
  await execa('npm', ['install', '--prefer-offline', join(folder, filename)], { cwd: folder })
  // What a TypeScript project has besides.
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types']) {
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  project.provide('consumer', folder)
  project.provide('tarball', join(folder, filename))
  return () => rm(folder, { recursive: true, force: true })
}
