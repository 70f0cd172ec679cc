import { describe, expect, it } from 'vitest'
import type { PromptPart } from '../../../src/protocol/prompt.ts'
import { inUserHome, launch, settings, untrusted } from './exec-launching.ts'

const versions = ['0.55.0', '0.113.0', '0.147.0', '0.171.0', 'unknown'] as const
const conversation = '01a00000-0000-7000-8000-000000000001'

/** For versions without a switch for what they bring along. */
const bundledByPath = `
[[skills.config]]
path = "/h/skills/.system/skill-creator/SKILL.md"
enabled = false

[[skills.config]]
path = "/h/skills/.system/skill-installer/SKILL.md"
enabled = false
`

describe('a plain turn', () => {
  it.each(versions)(
    'of %s has its prompt on stdin and everything else in a configuration of its own',
    (version) => {
      expect(launch(version)).toEqual({
        arguments: ['exec', '--json', '--skip-git-repo-check', '-'],
        environment: {},
        files: [
          {
            path: 'config.toml',
            content: `check_for_update_on_startup = false
approval_policy = "never"

[skills]
include_instructions = false

[skills.bundled]
enabled = false
${version === '0.55.0' || version === '0.113.0' ? bundledByPath : ''}
[features]
apps = false
plugins = false
remote_plugin = false
shell_snapshot = false

[shell_environment_policy]
ignore_default_excludes = true
exclude = [ "CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "COXSWAIN_ENDPOINT_*", "COXSWAIN_MCP_*" ]

`,
          },
        ],
        stdin: 'Hello.',
        firstSignal: 'SIGINT',
      })
    },
  )

  it.each(versions)("of %s writes nothing into a user's own home", (version) => {
    const { arguments: argv, files } = launch(version, { home: 'user' }, inUserHome)
    expect(files).toEqual([])
    expect(argv).toEqual([
      'exec',
      '--json',
      '--skip-git-repo-check',
      '-c',
      'approval_policy="never"',
      '-c',
      `projects=${untrusted}`,
      '-',
    ])
  })
})

describe('the prompt', () => {
  it.each(['@/etc/hostname', '/status', '- x', '--- x', '  spaced\n'])(
    '%j goes to stdin as it is',
    (text) => {
      expect(launch('0.171.0', { prompt: [{ type: 'text', text }] }).stdin).toBe(text)
    },
  )

  it('without words is refused: codex exec would end with "No prompt provided via stdin."', () => {
    const prompt: PromptPart[] = [{ type: 'image', mimeType: 'image/png', data: 'aGk=' }]
    expect(() => launch('0.171.0', { prompt })).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        hint: "Say in words what to do with the image, or take transport: 'live'.",
      }),
    )
  })

  it('has its images as files, before the flags that end their list', () => {
    const {
      arguments: argv,
      files,
      stdin,
    } = launch('0.55.0', {
      resume: conversation,
      prompt: [
        { type: 'text', text: 'Look:' },
        { type: 'image', mimeType: 'image/png', data: 'aGk=' },
        { type: 'image', mimeType: '../../etc', data: 'aG8=' },
        { type: 'text', text: 'What is it?' },
      ],
    })
    expect(argv).toEqual([
      'exec',
      '-i',
      '/h/image-1.png',
      '-i',
      '/h/image-2.image',
      '--json',
      '--skip-git-repo-check',
      'resume',
      conversation,
      '-',
    ])
    expect(files.slice(1)).toEqual([
      { path: 'image-1.png', content: 'aGk=', encoding: 'base64' },
      { path: 'image-2.image', content: 'aG8=', encoding: 'base64' },
    ])
    expect(stdin).toBe('Look:\n\nWhat is it?')
  })
})

describe('a conversation', () => {
  it.each(versions)('is resumed by %s with its flags before the word', (version) => {
    expect(launch(version, { resume: conversation, arguments: ['--add-dir', '/x'] }).arguments).toEqual([
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--add-dir',
      '/x',
      'resume',
      conversation,
      '-',
    ])
  })

  it.each(['0.148.0', '0.148.1-alpha.2', '0.171.0', '1.0.0', 'unknown'])('is forked by %s', (version) => {
    expect(launch(version, { resume: conversation, fork: true }).arguments.slice(-3)).toEqual([
      'fork',
      conversation,
      '-',
    ])
  })

  it.each(['0.55.0', '0.113.0', '0.147.0'])('cannot be forked by %s', (version) => {
    expect(() => launch(version, { resume: conversation, fork: true })).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        hint: 'Use codex 0.148.0 or newer, or resume without fork.',
      }),
    )
  })

  it.each(['--last', 'my thread', '', `${conversation} `])(
    'is not asked for by %j, which is no id',
    (resume) => {
      expect(() => launch('0.171.0', { resume })).toThrow(
        expect.objectContaining({ code: 'resume_rejected' }),
      )
    },
  )
})

describe('model, effort and system prompt', () => {
  it('stand in the configuration', () => {
    expect(
      settings('0.171.0', { model: 'gpt-5.5', effort: 'high', systemPrompt: { append: 'Be "brief".\n' } }),
    ).toEqual({
      approval_policy: 'never',
      model: 'gpt-5.5',
      model_reasoning_effort: 'high',
      developer_instructions: 'Be "brief".\n',
    })
  })

  it.each([
    [
      '0.55.0',
      { model_instructions_file: '/h/instructions.md', experimental_instructions_file: '/h/instructions.md' },
    ],
    ['0.113.0', { model_instructions_file: '/h/instructions.md' }],
    ['0.171.0', { model_instructions_file: '/h/instructions.md' }],
    ['unknown', { model_instructions_file: '/h/instructions.md' }],
  ])('a replaced system prompt is a file, under the name that %s knows', (version, names) => {
    const options = { systemPrompt: { replace: 'You are a parrot.' } }
    expect(settings(version, options)).toEqual({ approval_policy: 'never', ...names })
    expect(launch(version, options).files[1]).toEqual({
      path: 'instructions.md',
      content: 'You are a parrot.',
    })
  })

  it("go to argv where the configuration is the user's", () => {
    const { arguments: argv, files } = launch(
      '0.171.0',
      {
        model: 'm',
        effort: 'low',
        systemPrompt: { append: 'a\n"b"', replace: 'r' },
        projectInstructions: false,
      },
      inUserHome,
    )
    expect(argv.filter((word) => word !== '-c').slice(3, -3)).toEqual([
      'model="m"',
      'model_reasoning_effort="low"',
      'developer_instructions="a\\n\\"b\\""',
      'model_instructions_file="/t/instructions.md"',
      'project_doc_max_bytes=0',
    ])
    expect(files).toEqual([{ path: 'instructions.md', content: 'r' }])
  })

  it('leave AGENTS.md out on demand', () => {
    expect(settings('0.55.0', { projectInstructions: false })).toEqual({
      approval_policy: 'never',
      project_doc_max_bytes: 0,
    })
  })
})
