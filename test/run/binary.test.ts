import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { demandDirectory, resolveBinary } from '../../src/run/binary.ts'
import { scratch, scratchFile } from './probe.ts'

const adapter = {
  id: 'tiny-cli',
  title: 'Tiny',
  binary: ['tiny', 'tiny-agent'] as const,
  install: 'npm install -g tiny',
}

/** A directory with these files, 755 unless they are named 'plain:...'. */
function directory(...names: string[]): string {
  const path = scratchFile('bin')
  mkdirSync(path)
  for (const name of names) {
    const file = join(path, name.replace('plain:', ''))
    writeFileSync(file, '#!/bin/sh\n')
    chmodSync(file, name.startsWith('plain:') ? 0o644 : 0o755)
  }
  return path
}

describe('on PATH', () => {
  test('the first name wins over the first directory', () => {
    const [a, b] = [directory('tiny-agent'), directory('tiny')]
    expect(resolveBinary(adapter, undefined, `${a}:${b}`)).toEqual({
      file: join(b, 'tiny'),
      arguments: [],
      script: join(b, 'tiny'),
    })
  })

  test('a file that is not executable and a directory are passed over', () => {
    const [a, b, c] = [directory('plain:tiny'), directory(), directory('tiny')]
    mkdirSync(join(b, 'tiny'))
    expect(resolveBinary(adapter, undefined, `${a}:${b}:${c}`).file).toBe(join(c, 'tiny'))
  })

  test('relative and empty entries are left out', () => {
    const here = relative(process.cwd(), directory('tiny'))
    expect(() => resolveBinary(adapter, undefined, `${here}::.`)).toThrow(
      expect.objectContaining({
        code: 'not_installed',
        message: 'Tiny is not installed: no "tiny" or "tiny-agent" on PATH.',
        hint: 'Install it (npm install -g tiny), or give its path as `binary`.',
      }),
    )
  })

  test('only a file that is not executable is another fault than none at all', () => {
    const a = directory('plain:tiny')
    expect(() => resolveBinary(adapter, undefined, a)).toThrow(
      expect.objectContaining({
        code: 'not_executable',
        message: `${join(a, 'tiny')} is not an executable file.`,
      }),
    )
  })

  test('a directory that cannot be looked into is passed over', () => {
    const [circle, b] = [scratchFile('circle'), directory('tiny')]
    symlinkSync(circle, circle)
    const endless = `/${'a'.repeat(5_000)}`
    expect(resolveBinary(adapter, undefined, `${circle}:${endless}:${b}`).file).toBe(join(b, 'tiny'))
    expect(() => resolveBinary(adapter, undefined, circle)).toThrow('Tiny is not installed')
    expect(() => resolveBinary(adapter, ['tiny'], circle)).toThrow('The binary "tiny" is not on PATH.')
  })

  test("an adapter's own command that is missing says how to get it; one that was given does not", () => {
    const agent = { ...adapter, command: ['tiny-acp', 'acp'] as const }
    expect(() => resolveBinary(agent, undefined, '/nowhere')).toThrowError(
      expect.objectContaining({
        message: 'Tiny is not installed: no "tiny-acp" on PATH.',
        hint: 'Install it (npm install -g tiny), or give its path as `binary`.',
      }),
    )
    expect(() => resolveBinary(agent, ['other'], '/nowhere')).toThrow('The binary "other" is not on PATH.')
  })

  test('no PATH at all is not installed', () => {
    expect(() => resolveBinary(adapter, undefined, undefined)).toThrow('is not installed')
  })
})

describe('given', () => {
  test('a relative path is meant from the current directory', () => {
    const file = join(directory('tiny'), 'tiny')
    expect(resolveBinary(adapter, [relative(process.cwd(), file)], '').file).toBe(file)
  })

  test('a name is looked for on PATH', () => {
    const a = directory('mine')
    expect(resolveBinary(adapter, ['mine'], a).file).toBe(join(a, 'mine'))
  })

  test('a command keeps its first arguments, and its script is the CLI', () => {
    const cli = join(directory('cli.js'), 'cli.js')
    expect(resolveBinary(adapter, [process.execPath, '--no-warnings', cli], '')).toEqual({
      file: process.execPath,
      arguments: ['--no-warnings', cli],
      script: cli,
    })
  })

  test('the command of the adapter is what is started, unless another one is given', () => {
    const path = directory('tiny')
    const withCommand = { ...adapter, command: ['tiny', 'acp'] as const }
    const file = join(path, 'tiny')
    expect(resolveBinary(withCommand, undefined, path)).toEqual({ file, arguments: ['acp'], script: file })
    expect(resolveBinary(withCommand, [file], '')).toEqual({ file, arguments: [], script: file })
  })

  test.each([
    ['/nowhere/tiny', 'not_installed', 'The binary /nowhere/tiny does not exist.'],
    [scratch, 'not_executable', `${scratch} is not an executable file.`],
    ['nobody-has-this', 'not_installed', 'The binary "nobody-has-this" is not on PATH.'],
  ])('%s is %s', (given, code, message) => {
    expect(() => resolveBinary(adapter, [given], '/usr/bin')).toThrow(
      expect.objectContaining({ code, message, hint: expect.any(String) }),
    )
  })

  test('a script that does not exist is named, not its interpreter', () => {
    expect(() => resolveBinary(adapter, [process.execPath, '/nowhere/cli.js'], '')).toThrow(
      'The binary /nowhere/cli.js does not exist.',
    )
  })

  test('a path that cannot be followed says so', () => {
    const circle = scratchFile('circle')
    symlinkSync(circle, circle)
    for (const command of [[circle], [process.execPath, circle]] as [string, ...string[]][]) {
      expect(() => resolveBinary(adapter, command, '')).toThrow(
        expect.objectContaining({
          code: 'not_executable',
          message: `The binary ${circle} cannot be reached.`,
          hint: 'Check who may enter the directories above it, and where its links lead.',
        }),
      )
    }
    expect(() => demandDirectory(circle)).toThrow(
      expect.objectContaining({
        code: 'invalid_options',
        message: `The working directory ${circle} cannot be reached.`,
      }),
    )
  })

  test('a link that leads nowhere does not exist', () => {
    const link = scratchFile('link')
    symlinkSync('/nowhere/tiny', link)
    expect(() => resolveBinary(adapter, [link], '')).toThrow('does not exist')
  })
})

test('a working directory that is a file says so', () => {
  const file = scratchFile('file')
  writeFileSync(file, '')
  expect(() => demandDirectory(file)).toThrow(`The working directory ${file} is no directory.`)
})
