import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import type { LaunchOptions } from '../../../src/adapters/launch-options.ts'
import { inUserHome, launch, settings, untrusted } from './exec-launching.ts'

describe('the project', () => {
  it.each(['0.55.0', '0.147.0', '0.168.0', 'unknown'])(
    'is not trusted by %s because the turn may write in it',
    (version) => {
      for (const options of [
        { approvals: 'approve-all' },
        { sandbox: 'workspace-write' },
        { sandbox: 'off' },
      ] as const) {
        // On the command line: 0.124.0 writes its own trust over the file's.
        expect(launch(version, options).arguments).toEqual([
          ...['exec', '--json', '--skip-git-repo-check', '-c', `projects=${untrusted}`, '-'],
        ])
        expect(settings(version, options)).not.toHaveProperty('projects')
      }
    },
  )

  it('is meant by its real path', () => {
    expect(launch('0.147.0', { sandbox: 'off' }, { realCwd: '/real' }).arguments).toContain(
      'projects={ "/real" = { "trust_level" = "untrusted" }, "/" = { "trust_level" = "untrusted" } }',
    )
  })

  it.each([
    ['0.147.0', {}],
    ['0.147.0', { sandbox: 'read-only' }],
    ['0.171.0', { sandbox: 'off' }],
  ] as const)('keeps its AGENTS.md under %s with %j, where nothing trusts it', (version, options) => {
    expect(settings(version, options)).not.toHaveProperty('projects')
    expect(launch(version, options).arguments).not.toContain('-c')
  })

  it.each([
    ['0.55.0', []],
    ['0.130.0', []],
    ['0.131.0', ['--dangerously-bypass-hook-trust']],
    ['0.171.0', ['--dangerously-bypass-hook-trust']],
    ['unknown', []],
  ])('is trusted by %s where that is asked for, hooks included', (version, flags) => {
    const options = { projectConfiguration: 'trust', approvals: 'approve-all' } as const
    expect(settings(version, options)).toMatchObject({
      projects: {
        '/': { trust_level: 'trusted' },
        '/w': { trust_level: 'trusted' },
        '/w/project': { trust_level: 'trusted' },
      },
    })
    expect(launch(version, options).arguments).toEqual([
      ...['exec', '--json', '--skip-git-repo-check', '-c', 'model_provider="openai"', ...flags, '-'],
    ])
  })

  it('has no say in where requests go, also where it is trusted; no password stands on a command line for that', () => {
    const said = (url: string) =>
      launch('0.113.0', { projectConfiguration: 'trust', endpoint: { url, credential: 'k' } }).arguments
    expect(said('http://127.0.0.1:9/v1').slice(3, -1)).toEqual([
      '-c',
      'model_provider="coxswain"',
      '-c',
      'model_providers.coxswain.name="coxswain"',
      '-c',
      'model_providers.coxswain.base_url="http://127.0.0.1:9/v1"',
      '-c',
      'model_providers.coxswain.wire_api="responses"',
      '-c',
      'model_providers.coxswain.env_key="COXSWAIN_ENDPOINT_KEY"',
    ])
    expect(said('http://user:word@127.0.0.1:9/v1')).toEqual(['exec', '--json', '--skip-git-repo-check', '-'])
  })
})

describe('skills', () => {
  const skills = { user: ['/u/SKILL.md'], project: ['/p/SKILL.md'] }
  const off = (path: string) => ({ path, enabled: false })
  const listed = (options: Partial<LaunchOptions>, version = '0.171.0') => {
    const context = { surroundings: { skills, consulted: {} } }
    const { content } = launch(version, options, context).files[0] ?? { content: '' }
    return parse(content).skills
  }

  it('are all turned off, each by its path', () => {
    expect(listed({})).toEqual({
      include_instructions: false,
      bundled: { enabled: false },
      config: [off('/u/SKILL.md'), off('/p/SKILL.md')],
    })
  })

  it("are the project's alone, where it is trusted", () => {
    expect(listed({ projectConfiguration: 'trust' })).toEqual({
      bundled: { enabled: false },
      config: [off('/u/SKILL.md')],
    })
  })

  it("are the user's in the user's home", () => {
    const context = { ...inUserHome, surroundings: { skills, consulted: {} } }
    expect(launch('0.171.0', { home: 'user' }, context).arguments).toContain(
      'skills.config=[{ "path" = "/p/SKILL.md", "enabled" = false }]',
    )
  })
})
