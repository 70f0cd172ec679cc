import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lookAround } from '../../src/run/surroundings.ts'

const declaration = {
  variable: 'TINY_HOME',
  userDirectory: '.tiny',
  signIn: [],
  conversations: [],
  skills: { user: ['.agents/skills'], project: ['.agents/skills', '.tiny/skills'] },
  consults: ['.tiny/settings.json', '.tiny/other.json'],
}

async function place(files: readonly string[]): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'surroundings-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const name of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), `this is ${name}`)
  }
  return folder
}

test("the user's skills, and the project's from the working directory upwards", async () => {
  const folder = await place([
    'home/.agents/skills/a/SKILL.md',
    'home/.agents/skills/deep/er/b/SKILL.md',
    'home/.agents/skills/SKILLS.md',
    'repository/.tiny/skills/c/SKILL.md',
    'repository/app/.agents/skills/d/SKILL.md',
    'repository/app/inner/.agents/skills/e/SKILL.md',
  ])
  const { skills } = lookAround(declaration, join(folder, 'home'), join(folder, 'repository/app'))
  expect(skills.user.toSorted()).toEqual([
    join(folder, 'home/.agents/skills/a/SKILL.md'),
    join(folder, 'home/.agents/skills/deep/er/b/SKILL.md'),
  ])
  expect(skills.project.filter((path) => path.startsWith(folder))).toEqual([
    join(folder, 'repository/app/.agents/skills/d/SKILL.md'),
    join(folder, 'repository/.tiny/skills/c/SKILL.md'),
  ])
})

test('links are followed, told by their targets, and lead nowhere for ever', async () => {
  const folder = await place(['elsewhere/linked/SKILL.md', 'home/.agents/skills/plain/SKILL.md'])
  await symlink(join(folder, 'elsewhere/linked'), join(folder, 'home/.agents/skills/linked'))
  await symlink(join(folder, 'home/.agents/skills'), join(folder, 'home/.agents/skills/plain/round'))
  await symlink(join(folder, 'nowhere'), join(folder, 'home/.agents/skills/broken'))
  const { skills } = lookAround(declaration, join(folder, 'home'), join(folder, 'elsewhere'))
  expect(skills.user.toSorted()).toEqual([
    join(folder, 'elsewhere/linked/SKILL.md'),
    join(folder, 'home/.agents/skills/plain/SKILL.md'),
  ])
})

test('what cannot be read hides nothing that stands beside it', async () => {
  const folder = await place(['home/.agents/skills/z/SKILL.md', 'home/.agents/skills/z/y/SKILL.md'])
  const skillsFolder = join(folder, 'home/.agents/skills')
  await symlink(join(skillsFolder, 'a'), join(skillsFolder, 'a'))
  await symlink(join(folder, 'nowhere'), join(skillsFolder, 'SKILL.md'))
  const { skills } = lookAround(declaration, join(folder, 'home'), folder)
  expect(skills.user.toSorted()).toEqual([
    join(skillsFolder, 'z/SKILL.md'),
    join(skillsFolder, 'z/y/SKILL.md'),
  ])
})

test('files that are asked for are read where they are there', async () => {
  const folder = await place(['app/.tiny/settings.json'])
  expect(lookAround(declaration, join(folder, 'home'), join(folder, 'app')).consulted).toEqual({
    '.tiny/settings.json': 'this is app/.tiny/settings.json',
  })
})

test('nothing is looked for where nothing was asked', async () => {
  const { skills: _, consults: __, ...rest } = declaration
  const folder = await place(['home/.agents/skills/a/SKILL.md', 'app/.tiny/settings.json'])
  await chmod(join(folder, 'home'), 0o700)
  expect(lookAround(rest, join(folder, 'home'), join(folder, 'app'))).toEqual({
    skills: { user: [], project: [] },
    consulted: {},
  })
})
