import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../../src/adapters/claude-code.ts'
import type { LiveLaunchOptions } from '../../../src/adapters/launch-options.ts'
import { launchContext, launchOptions, starting } from './launching.ts'

function launch(options: Partial<LiveLaunchOptions> = {}, version = '2.1.332') {
  const { prompt: _prompt, ...rest } = launchOptions()
  const launched = claudeCode.live?.launch({ ...rest, ...options }, launchContext({ version }))
  if (!launched) throw new Error('claude has a live protocol')
  return launched
}

function wordAfter(words: readonly string[], flag: string): string | undefined {
  return words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined
}

describe('a live launch', () => {
  test('speaks stream-json both ways and says messages back', () => {
    expect(launch().arguments.slice(0, 8)).toEqual([
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-partial-messages',
      '--input-format',
      'stream-json',
      '--replay-user-messages',
    ])
    expect(launch()).not.toHaveProperty('stdin')
  })

  test.each([
    ['deny', 'default', undefined],
    ['auto', 'acceptEdits', undefined],
    ['approve-all', 'bypassPermissions', undefined],
    ['host', 'default', 'stdio'],
  ] as const)('asks nobody but a host: %s', (approvals, mode, tool) => {
    const words = launch({ approvals }).arguments
    expect(wordAfter(words, '--permission-mode')).toBe(mode)
    expect(wordAfter(words, '--permission-prompt-tool')).toBe(tool)
    const unwanted = wordAfter(words, '--disallowedTools')?.split(',') ?? []
    expect(unwanted.includes('AskUserQuestion')).toBe(approvals !== 'host')
    expect(unwanted.includes('ExitPlanMode')).toBe(approvals !== 'host')
  })

  test('takes away what would begin turns of its own, unless background tasks are waited for', () => {
    expect(wordAfter(launch({ approvals: 'host' }).arguments, '--disallowedTools')).toBe(starting)
    const waiting = launch({ approvals: 'host', backgroundTasks: 'wait' })
    expect(waiting.arguments).not.toContain('--disallowedTools')
    expect(waiting.environment).not.toHaveProperty('CLAUDE_CODE_DISABLE_BACKGROUND_TASKS')
  })

  test('lets files be mentioned only where expansions are wanted', () => {
    const switched = 'CLAUDE_CODE_DISABLE_FILE_MENTIONS'
    expect(launch().environment[switched]).toBe('1')
    expect(launch({ promptExpansion: true }).environment).not.toHaveProperty(switched)
    // It would keep messages to a running turn from the model, too.
    expect(launch({}, '2.0.72').environment).not.toHaveProperty('CLAUDE_CODE_DISABLE_ATTACHMENTS')
  })
})
