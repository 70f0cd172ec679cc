import { describe, expect, test } from 'vitest'
import { aboveImports, asking, launch, launchContext, launchOptions, starting } from './launching.ts'

describe('an older version', () => {
  const at = (version: string) => launchContext({ version })

  test('2.0.72 gets the project instructions as an import of its private home', () => {
    const { arguments: words, files, environment } = launch(launchOptions(), at('2.0.72'))
    expect(words.slice(9)).toEqual(['--setting-sources', 'user', '--strict-mcp-config'])
    const ownImports = '@/w/CLAUDE.md\n@/w/.claude/CLAUDE.md\n@/w/CLAUDE.local.md\n'
    expect(files).toEqual([{ path: 'CLAUDE.md', content: `${aboveImports}${ownImports}` }])
    expect(environment).not.toHaveProperty('CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD')
  })

  test("2.0.72 writes no CLAUDE.md into a home of the caller's, nor where none is wanted", () => {
    expect(launch(launchOptions({ home: { directory: '/h' } }), at('2.0.72')).files).toEqual([])
    expect(launch(launchOptions({ projectInstructions: false }), at('2.0.72')).files).toEqual([])
  })

  test('1.0.124 has no setting sources: its hooks are turned off by a setting', () => {
    const { arguments: words, files } = launch(launchOptions(), at('1.0.124'))
    expect(words.slice(9)).toEqual(['--strict-mcp-config', '--settings', '/homes/1/coxswain-settings.json'])
    expect(files).toEqual([{ path: 'coxswain-settings.json', content: '{\n  "disableAllHooks": true\n}\n' }])
  })

  test('1.0.124 leaves the project instructions out where they are not wanted', () => {
    const { environment } = launch(launchOptions({ projectInstructions: false }), at('1.0.124'))
    expect(environment).toMatchObject({ CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1' })
  })

  test('1.0.124 takes one system prompt file, and only that', () => {
    const both = launch(launchOptions({ systemPrompt: { append: 'B', replace: 'A' } }), at('1.0.124'))
    expect(both.arguments).not.toContain('B')
    expect(both.files).toContainEqual({ path: 'system-prompt.txt', content: 'A\n\nB' })
    const append = launch(launchOptions({ systemPrompt: { append: 'B' } }), at('1.0.124'))
    expect(append.arguments.slice(-2)).toEqual(['--append-system-prompt', 'B'])
  })

  test.each(['1.0.124', '2.0.72'])('%s does not support effort, and says so', (version) => {
    expect(() => launch(launchOptions({ effort: 'low' }), at(version))).toThrow(
      expect.objectContaining({ code: 'unsupported', message: `claude ${version} does not support effort.` }),
    )
  })

  test('one that nobody could tell counts as a new one', () => {
    expect(launch(launchOptions({ effort: 'low' }), at('unknown')).arguments).toEqual([
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-partial-messages',
      '--permission-mode',
      'default',
      '--disallowedTools',
      `${asking},${starting}`,
      '--setting-sources',
      '',
      '--strict-mcp-config',
      '--add-dir',
      '/w',
      '--effort',
      'low',
    ])
  })
})
