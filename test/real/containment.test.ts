import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TurnOptions } from '../../src/index.ts'
import type { Reply } from '../../src/testing/scenario.ts'
import { runBare } from './bare.ts'
import { heard, type Places, plant } from './canaries.ts'
import { namedClis, type RealCli } from './clis.ts'
import { Workbench } from './workbench.ts'

/** Of the canaries that are planted, those that are heard. `bare`: the CLI alone, as its user runs it in a trusted project. */
interface Row {
  bare: string
  byDefault: string
  withoutInstructions: string
  trusted: string
  trustedWithoutInstructions: string
}

const claudeInstructions =
  'above-instructions root-folder-instructions root-instructions root-local-instructions project-folder-instructions project-imported-instructions project-instructions project-local-instructions'
const claudeProject =
  'project-agent project-command project-hook project-local-hook project-mcp project-skill root-agent root-command root-mcp root-skill'
const claudeUser =
  'user-agent user-command user-hook user-instructions user-mcp user-plugin user-rule user-skill'
const codexProject = 'project-agents-skill project-mcp project-skill root-agents-skill root-mcp root-skill'
const codexNewProject = `${codexProject} project-agent project-hook root-agent root-hook`
const piInstructions = 'above-instructions project-instructions root-instructions'
const piProject =
  'project-agents-canary project-canary project-extension project-package project-shell-prefix project-system root-agents-canary'
const piUser = 'user-agents-canary user-canary user-extension user-instructions user-package'
const piWithMcp: Row = {
  bare: `${piInstructions} ${piProject} ${piUser} project-mcp project-prompt user-mcp`,
  byDefault: piInstructions,
  withoutInstructions: '',
  trusted: `${piInstructions} ${piProject} project-mcp`,
  trustedWithoutInstructions: `${piProject} project-mcp`,
}

const rows: Record<string, Row> = {
  '2.1.332': {
    // Its plugin is enabled by the project, but installed by the user.
    bare: `${claudeUser} ${claudeInstructions} ${claudeProject} project-rule root-rule project-plugin`,
    // What a private home imports is no import of the project's own: the files that it imports come along.
    byDefault: `${claudeInstructions} project-rule root-imported-instructions`,
    withoutInstructions: '',
    trusted: `${claudeInstructions} ${claudeProject} project-rule root-rule`,
    trustedWithoutInstructions: claudeProject,
  },
  '2.0.72': {
    bare: `${claudeUser} ${claudeInstructions} ${claudeProject} project-rule root-rule project-plugin`,
    byDefault: `${claudeInstructions} root-imported-instructions`,
    withoutInstructions: '',
    trusted: `${claudeInstructions} ${claudeProject} project-rule root-rule`,
    trustedWithoutInstructions: claudeProject,
  },
  // It has neither skills, rules nor plugins, and only one .mcp.json, for which it asks.
  '1.0.124': {
    bare: `${claudeInstructions} project-agent project-command project-hook project-local-hook user-agent user-command user-hook user-instructions user-mcp`,
    // It reads the project's settings in any case: see `limits`.
    byDefault: `${claudeInstructions} project-agent project-command`,
    withoutInstructions: 'project-agent project-command',
    trusted: `${claudeInstructions} project-agent project-command project-hook project-local-hook project-mcp`,
    trustedWithoutInstructions: 'project-agent project-command project-hook project-local-hook project-mcp',
  },
  '0.171.0': {
    bare: `project-instructions root-instructions ${codexNewProject} user-agent user-agents-skill user-hook user-instructions user-mcp user-notify user-skill`,
    byDefault: 'project-instructions root-instructions',
    withoutInstructions: '',
    trusted: `project-instructions root-instructions ${codexNewProject}`,
    trustedWithoutInstructions: codexNewProject,
  },
  '0.113.0': {
    bare: `project-instructions root-instructions ${codexProject} project-notify user-agents-skill user-instructions user-mcp user-skill`,
    byDefault: 'project-instructions root-instructions',
    withoutInstructions: '',
    trusted: `project-instructions root-instructions ${codexProject} project-notify`,
    trustedWithoutInstructions: `${codexProject} project-notify`,
  },
  // It has neither skills nor a configuration of the project.
  '0.55.0': {
    bare: 'project-instructions root-instructions user-instructions user-mcp user-notify',
    byDefault: 'project-instructions root-instructions',
    withoutInstructions: '',
    trusted: 'project-instructions root-instructions',
    trustedWithoutInstructions: '',
  },
  '1.6.0': piWithMcp,
  '1.3.0': piWithMcp,
  '0.85.1': {
    bare: `${piInstructions} ${piProject} ${piUser} project-prompt`,
    byDefault: piInstructions,
    withoutInstructions: '',
    trusted: `${piInstructions} ${piProject}`,
    trustedWithoutInstructions: piProject,
  },
  '0.73.1': {
    bare: `${piInstructions} ${piProject} ${piUser} project-prompt`,
    byDefault: piInstructions,
    withoutInstructions: '',
    trusted: `${piInstructions} ${piProject}`,
    trustedWithoutInstructions: piProject,
  },
  // It has no switch for instructions: no turn starts without them.
  '0.63.2': {
    bare: `${piInstructions} ${piProject} ${piUser} project-prompt`,
    byDefault: piInstructions,
    withoutInstructions: 'unsupported',
    trusted: `${piInstructions} ${piProject}`,
    trustedWithoutInstructions: 'unsupported',
  },
}

/** Each would bring something along that lies in the user's home or in the project, were it more than text. */
const prompts: Record<RealCli['adapter'], string> = {
  'claude-code': '/project-command',
  'codex-cli': 'Is $user-agents-skill like $skill-creator?',
  'pi-cli': '/sing',
}

const settings = [
  ['in the default setting, none fires and only the instructions of the project are sent', 'byDefault', {}],
  ['without projectInstructions, none is sent', 'withoutInstructions', { projectInstructions: false }],
  ["trust: the project's fire, none of the user's", 'trusted', { projectConfiguration: 'trust' }],
  [
    'trust without projectInstructions: all but these',
    'trustedWithoutInstructions',
    { projectConfiguration: 'trust', projectInstructions: false },
  ],
] as const satisfies [string, keyof Row, Partial<TurnOptions>][]

const scenario: Reply[] = [
  { toolCalls: [{ name: 'shell', input: { command: 'echo ahoy' } }] },
  { text: 'Nobody sang.' },
]

describe.each(namedClis)('%s', (_, cli) => {
  const row = rows[cli.version]

  test('every canary is alive: the bare CLI wakes it', async () => {
    const { bench, places } = await aviary(cli)
    await runBare(cli, places, bench.server.endpointFor(bench.api), prompts[cli.adapter])
    expect(await heard(places.fired, bench.steps())).toEqual(names(row?.bare))
  })

  test.each(settings)('%s', async (_, expected, options) => {
    const { bench, places, environment } = await aviary(cli)
    const turn = () => bench.turn({ ...options, prompt: prompts[cli.adapter], cwd: places.cwd, environment })
    if (row?.[expected] === 'unsupported' || (!('projectConfiguration' in options) && readsSettings(cli))) {
      expect((await turn()).completion).toMatchObject({ status: 'error', error: { code: 'unsupported' } })
      expect(bench.server.requests).toEqual([])
      if (row?.[expected] === 'unsupported') return
      await writeFile(join(places.cwd, '.pi/settings.json'), JSON.stringify({ packages: ['./package'] }))
    }
    const { completion, breaches } = await turn()
    expect(breaches).toEqual([])
    expect(completion.status).toBe('success')
    expect(await heard(places.fired, bench.steps())).toEqual(names(row?.[expected]))
    const told = bench.steps().flatMap(({ userTexts }) => userTexts)
    expect(told.filter((text) => text.includes(prompts[cli.adapter]))).not.toEqual([])
    expect(told.filter((text) => text.includes('<skill>'))).toEqual([])
  })
})

/** It runs what the project's settings name, whatever it is told: no turn starts that would. */
function readsSettings({ version }: RealCli): boolean {
  return version === '0.63.2' || version === '0.73.1'
}

function names(words = ''): string[] {
  return words.split(' ').filter(Boolean).sort()
}

/** A workbench with canaries in it, below a path with a space. */
async function aviary(cli: RealCli) {
  const bench = await Workbench.open(cli, scenario)
  const root = join(bench.folder, 'sea side/repository')
  const places: Places = {
    home: join(bench.folder, 'user-home'),
    root,
    cwd: join(root, 'boat'),
    fired: join(bench.folder, 'fired'),
  }
  await plant(cli.adapter, places)
  const { XDG_CONFIG_HOME: _, CODEX_HOME: __, CLAUDE_CONFIG_DIR: ___, ...base } = bench.environment
  return { bench, places, environment: { ...base, HOME: places.home } }
}
