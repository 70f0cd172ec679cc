import { describe, expect, test } from 'vitest'
import type { PromptPart } from '../../../src/protocol/prompt.ts'
import { launch, launchContext, launchOptions } from './launching.ts'

const part = (text: string): PromptPart => ({ type: 'text', text })
const image: PromptPart = { type: 'image', mimeType: 'image/png', data: 'AAAA' }
const typed = (text: string) => ({ type: 'text', text })

/** The blocks of the user record on stdin. */
function blocksOf(stdin: string): unknown {
  return JSON.parse(stdin).message.content
}

describe('a prompt', () => {
  test.each(['@/etc/hostname', '- x', '#x', '!x', '  spaced  \n', 'a@b.example'])(
    'reaches 2.1.332 as it is: %j',
    (text) => {
      expect(launch(launchOptions({ prompt: [part(text)] }), launchContext()).stdin).toBe(text)
    },
  )

  test.each([
    ['/cost', ' /cost'],
    ['/', ' /'],
    ['\n/cost', '\n/cost'],
    ['see /cost', 'see /cost'],
  ])('with a slash first gets a space before it: %j', (text, stdin) => {
    expect(launch(launchOptions({ prompt: [part(text)] }), launchContext()).stdin).toBe(stdin)
  })

  test('with promptExpansion goes through', () => {
    const expanded = launch(
      launchOptions({ prompt: [part('/cost')], promptExpansion: true }),
      launchContext(),
    )
    expect(expanded.stdin).toBe('/cost')
    expect(expanded.environment).not.toHaveProperty('CLAUDE_CODE_DISABLE_FILE_MENTIONS')
  })

  test('with an image is one user record', () => {
    const { arguments: words, stdin } = launch(
      launchOptions({ prompt: [part('/what'), image] }),
      launchContext(),
    )
    expect(words.slice(5, 7)).toEqual(['--input-format', 'stream-json'])
    expect(stdin.endsWith('\n')).toBe(true)
    expect(JSON.parse(stdin)).toEqual({
      type: 'user',
      message: {
        role: 'user',
        content: [
          { type: 'text', text: ' /what' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        ],
      },
      parent_tool_use_id: null,
      session_id: '',
    })
  })

  test('that is an image alone is one user record, too', () => {
    const { arguments: words, stdin } = launch(launchOptions({ prompt: [image] }), launchContext())
    expect(words.slice(5, 7)).toEqual(['--input-format', 'stream-json'])
    expect(JSON.parse(stdin).message.content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    ])
  })

  test('that is longer than any window is left for the API to refuse', () => {
    const long = launch(launchOptions({ prompt: [part('words '.repeat(100_000))] }), launchContext())
    expect(long.environment).toMatchObject({ CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE: '1000000000' })
    const short = launch(launchOptions({ prompt: [part('words')] }), launchContext())
    expect(short.environment).not.toHaveProperty('CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE')
  })

  test('that mentions something turns 2.0.72 attachments off, in that turn alone', () => {
    const mentioning = launch(
      launchOptions({ prompt: [part('see @/etc/hostname')] }),
      launchContext({ version: '2.0.72' }),
    )
    expect(mentioning.stdin).toBe('see @/etc/hostname')
    expect(mentioning.environment).toMatchObject({ CLAUDE_CODE_DISABLE_ATTACHMENTS: '1' })
    const plain = launch(
      launchOptions({ prompt: [part('write to a@b.example')] }),
      launchContext({ version: '2.0.72' }),
    )
    expect(plain.environment).not.toHaveProperty('CLAUDE_CODE_DISABLE_ATTACHMENTS')
  })

  test.each([
    ['see @a/b and @c.md, then go', ['see @a/b and @c.md,', ' then go']],
    ['@/etc/hostname', ['@/etc/hostnam', 'e']],
    ['see @/etc/\n', ['see @/et', 'c/\n']],
    ['see @"my file" now', ['see @"my', ' file" now']],
    ['@agent-x please', ['@agent-x', ' please']],
  ])('that mentions something is cut behind it for 1.0.124: %j', (text, pieces) => {
    const { stdin } = launch(launchOptions({ prompt: [part(text)] }), launchContext({ version: '1.0.124' }))
    expect(blocksOf(stdin)).toEqual(pieces.map(typed))
  })

  test('that ends in an image needs no cut', () => {
    const prompt = [part('see @/etc/hostname'), image]
    const { stdin } = launch(launchOptions({ prompt }), launchContext({ version: '1.0.124' }))
    expect(blocksOf(stdin)).toHaveLength(2)
  })
})
