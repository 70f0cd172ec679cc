import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { beforeAll, describe, expect, inject, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = inject('consumer')

beforeAll(async () => {
  await copyFile(join(root, 'test/package/programs/consumer.ts'), join(folder, 'consumer.ts'))
})

describe("a consumer's program compiles as it is", () => {
  // Each setting both ways; all four at once take twice as long and say no more.
  const rows: [string, boolean][] = [
    ['nodenext', true],
    ['bundler', false],
  ]
  test.each(rows)(
    'with moduleResolution %s and exactOptionalPropertyTypes %s',
    async (resolution, isExact) => {
      const settings = {
        compilerOptions: {
          strict: true,
          noUncheckedIndexedAccess: true,
          exactOptionalPropertyTypes: isExact,
          target: 'es2022',
          lib: ['es2023', 'esnext.disposable'],
          module: resolution === 'bundler' ? 'preserve' : 'nodenext',
          moduleResolution: resolution,
          types: ['node'],
          // The README's snippets are compiled without it.
          skipLibCheck: true,
          noEmit: true,
        },
        files: ['consumer.ts'],
      }
      const name = `tsconfig.${resolution}.${isExact}.json`
      await writeFile(join(folder, name), JSON.stringify(settings))
      const { all } = await execa(join(root, 'node_modules/.bin/tsc'), ['--project', name], {
        cwd: folder,
        reject: false,
        all: true,
      })
      expect(all).toBe('')
    },
  )
})

test('an error of another copy of the package is told by isAgentError, which instanceof cannot', async () => {
  const copy = join(folder, 'other/node_modules/coxswain')
  await mkdir(join(folder, 'other/node_modules'), { recursive: true })
  await execa('cp', ['-r', join(folder, 'node_modules/coxswain'), copy])
  const program = `
    import { AgentError, getAdapter, isAgentError } from 'coxswain'
    const other = await import('./other/node_modules/coxswain/dist/index.js')
    const errorOf = (start) => { try { start() } catch (error) { return error } }
    const found = errorOf(() => other.getAdapter('nobody'))
    console.log(found instanceof AgentError, isAgentError(found), found.code)
    console.log(isAgentError(errorOf(() => getAdapter('nobody'))), isAgentError(new Error('x')), isAgentError(null))`
  try {
    const { stdout } = await execa('node', ['--input-type=module', '-e', program], { cwd: folder })
    expect(stdout).toBe('false true invalid_options\ntrue false false')
  } finally {
    await rm(join(folder, 'other'), { recursive: true, force: true })
  }
})
