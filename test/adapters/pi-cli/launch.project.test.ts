import { describe, expect, it } from 'vitest'
import { kept, launch, newer, older, versions } from './launching.ts'

describe('a trusted project', () => {
  const trust = { projectConfiguration: 'trust' } as const

  it.each(newer)('brings all of its own along in %s', (version) => {
    expect(launch(version, trust).arguments).toEqual(['--print', '--mode', 'json', '--approve', ...kept])
  })

  it.each(older)('needs no word for it in %s', (version) => {
    expect(launch(version, trust).arguments).toEqual(['--print', '--mode', 'json', ...kept])
  })

  it.each(versions)('does not bring the skills below HOME along in %s', (version) => {
    const { content } = launch(version, trust).files[0] ?? { content: '' }
    expect(JSON.parse(content)).toMatchObject({ skills: ['!**', '!**/.*'] })
  })

  it.each([
    ['/sing', '\u200b/sing'],
    [' \n/sing', '\u200b \n/sing'],
    ['sing /now', 'sing /now'],
  ])('runs none of its commands from the prompt %j', (text, stdin) => {
    expect(launch('1.6.0', { ...trust, prompt: [{ type: 'text', text }] }).stdin).toBe(stdin)
    expect(launch('1.6.0', { prompt: [{ type: 'text', text }], arguments: ['-e', '/e.ts'] }).stdin).toBe(
      stdin,
    )
    expect(launch('1.6.0', { prompt: [{ type: 'text', text }] }).stdin).toBe(text)
  })
})

describe('project settings that run a program', () => {
  const within = (settings: string) => ({
    surroundings: { skills: { user: [], project: [] }, consulted: { '.pi/settings.json': settings } },
  })
  const prefix = '{ "shellCommandPrefix": "touch /x", "npmCommand": ["sh"] }'

  it.each(['0.63.2', '0.78.9'])('keep %s from starting, which cannot ignore them', (version) => {
    expect(() => launch(version, {}, within(prefix))).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        message: `pi-cli ${version} cannot ignore shellCommandPrefix and npmCommand in the project's .pi/settings.json, which needs 0.79.0.`,
      }),
    )
  })

  it.each([
    ['0.79.0', {}, prefix],
    ['0.73.1', { projectConfiguration: 'trust' }, prefix],
    ['0.73.1', {}, '{ "theme": "dark" }'],
    ['0.73.1', {}, 'no JSON'],
  ] as const)('are no hindrance to %s with %j where they say %s', (version, options, settings) => {
    expect(() => launch(version, options, within(settings))).not.toThrow()
  })
})

describe('project instructions', () => {
  it.each(['0.67.4', '0.73.1', '1.6.0'])('can be left out in %s', (version) => {
    expect(launch(version, { projectInstructions: false }).arguments).toContain('--no-context-files')
  })

  it.each(['0.63.2', '0.67.3'])('cannot be left out in %s', (version) => {
    expect(() => launch(version, { projectInstructions: false })).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        message: `pi-cli ${version} cannot honour projectInstructions: false, which needs 0.67.4.`,
      }),
    )
  })
})
