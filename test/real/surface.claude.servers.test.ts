import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TurnOptions } from '../../src/index.ts'
import { claude20, clis, ends, liveClis, newest, offers, open, steps } from './claude-surface.ts'
import { httpHarbour, stdioTools } from './harbour.ts'
import type { Workbench } from './workbench.ts'

/** What a turn leaves in the cache directory of the user, where claude has its logs. */
async function cachedWith(word: string, { folder }: Workbench): Promise<string[]> {
  const directory = join(folder, 'home/.cache')
  if (!existsSync(directory)) return []
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1')))
  return files.filter((_, index) => texts[index]?.includes(word))
}

describe('the other modes', () => {
  test.each(clis)(
    "'hybrid' of %s offers both kinds, and gives servers their values as they are",
    async (_, cli) => {
      const bench = await open(cli, () => [
        {
          toolCalls: [
            { name: 'mcp__dock-side__set-sail', input: {} },
            { name: 'mcp__quay__moor', input: {} },
          ],
        },
        { text: 'Moored.' },
      ])
      const quay = await httpHarbour()
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what must not be replaced
      const literal = '$HOME ${HOME} ${NOBODY:-x} $${PATH} ${ANTHROPIC_API_KEY} ${}'
      const [command, program] = stdioTools
      const { events, completion } = await bench.turn({
        approvals: 'deny',
        mcpServers: {
          'dock-side': {
            type: 'stdio',
            command,
            args: [program, 'set-sail'],
            env: { HARBOUR_VALUE: literal },
          },
          quay: { type: 'http', url: quay.url, headers: { 'X-Harbour': literal, 'X-Quay': 'open-sesame' } },
        },
        tools: { mode: 'hybrid', allow: ['set-sail', 'moor', 'Read', 'Agent'] },
      })
      expect(await cachedWith('open-sesame', bench)).toEqual([])
      expect(completion.status).toBe('success')
      const agent = cli === newest ? 'Agent' : 'Task'
      // 1.0.124 has no --tools: what allow does not name is denied, and so not offered either.
      expect(offers(bench)[0]).toEqual([agent, 'Read', 'mcp__dock-side__set-sail', 'mcp__quay__moor'].sort())
      expect(ends(events).sort()).toEqual(['dock-side/set-sail completed', 'quay/moor completed'])
      expect(steps(bench)[1]?.toolResults.join()).toContain(JSON.stringify(literal))
      expect(new Set(quay.headers.map((headers) => headers['x-harbour']))).toEqual(new Set([literal]))
    },
  )

  test.each(liveClis)("'hybrid' of %s hides a denied tool of a server", async (_, cli) => {
    const bench = await open(cli, () => [{ text: 'Aye.' }])
    const [command, program] = stdioTools
    await bench.turn({
      mcpServers: { quay: { type: 'stdio', command, args: [program, 'moor', 'sink'] } },
      tools: { mode: 'mcp_only', deny: ['quay/sink'] },
    })
    expect(offers(bench)).toEqual([['mcp__quay__moor']])
  })

  test.each<[string, (typeof clis)[number][1], TurnOptions['tools'], string[]]>([
    ['2.1.332', newest, { mode: 'native', allow: ['Read', 'KillShell', 'Task'] }, ['Agent', 'Read']],
    ['2.0.72', claude20, { mode: 'native', allow: ['Read', 'Agent'], deny: ['Bash'] }, ['Read', 'Task']],
  ])("'native' of %s offers what allow and deny leave", async (_, cli, tools, expected) => {
    const bench = await open(cli, () => [{ text: 'Aye.' }])
    const { completion } = await bench.turn({ ...(tools && { tools }) })
    expect(completion.status).toBe('success')
    expect(offers(bench)[0]).toEqual(expected)
  })
})

describe('a server that is gone when claude comes', () => {
  test.each([
    ['2.1.332', 'structured', newest],
    ['2.1.332', 'live', newest],
    ['2.0.72', 'structured', claude20],
  ] as const)('ends the turn of %s, %s', async (_, transport, cli) => {
    const bench = await open(cli, () => [{ text: 'Aye.', delayMs: 20_000 }])
    const { url } = await httpHarbour({ leaves: true })
    const { completion } = await bench.turn({ mcpServers: { quay: { type: 'http', url } }, transport })
    expect(completion).toMatchObject({
      status: 'error',
      error: {
        code: 'mcp_unavailable',
        message: 'The MCP server quay answered before the start, but claude-code has not reached it: failed.',
      },
    })
  })
})
