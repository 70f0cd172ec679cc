import { describe, expect, test } from 'vitest'
import { scenarios } from '../../src/testing/scenarios.ts'
import { namedClis } from './clis.ts'
import { Workbench } from './workbench.ts'

const literal = [
  ['an @ and a path', '@/etc/hostname says what?'],
  ['a slash command of the CLI', '/cost'],
  ['another slash command', '/help me with this'],
  ['a dash', '- [ ] a task, not an option'],
  ['two dashes', '--version is what I want to talk about'],
  ['a hash', '# A heading'],
  ['an exclamation mark', '!echo not a command'],
  ['quotes, newlines and non-ASCII text', 'He said "it\'s\nfine" — naïve, 日本語\u2028end'],
] as const

describe.each(namedClis)('%s', (_, cli) => {
  test.each(literal)('a prompt that begins with %s reaches the model as text', async (_, prompt) => {
    const bench = await Workbench.open(cli, scenarios.text)
    const { completion } = await bench.turn({ prompt })
    expect(completion.status).toBe('success')
    // Out of two blocks, where claude 1.0.124 leaves no other way to keep a mention from being one.
    const told = cli.version === '1.0.124' ? withoutNewlines(toldModel(bench)) : toldModel(bench)
    expect(told).toContain(cli.version === '1.0.124' ? withoutNewlines(prompt) : prompt)
  })

  test('an 8 MB prompt works, or is refused by the CLI itself in one clear line', async () => {
    const bench = await Workbench.open(cli, scenarios.text)
    const prompt = `Begin. ${'All work and no play. '.repeat(400_000)}End.`
    const { completion } = await bench.turn({ prompt })
    if (cli.adapter === 'codex-cli' && cli.version !== '0.55.0') {
      expect(completion).toMatchObject({ status: 'error', error: { code: 'invalid_request' } })
      expect(completion.error?.message).toContain('1048576')
      return
    }
    expect(completion.status).toBe('success')
    expect(toldModel(bench)).toContain('All work and no play. End.')
  })
})

/** Everything that the user said, as the model heard it; side requests aside. */
function toldModel(bench: Workbench): string {
  return bench
    .steps()
    .flatMap((request) => request.userTexts)
    .join('\n')
}

function withoutNewlines(text: string): string {
  return text.replaceAll('\n', '')
}
