import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defineAdapter, startTurn } from '../../src/index.ts'
import { authorized, serve } from '../forwarder/serving.ts'
import { bye, hello, probe, said, scratch, scratchFile, shell } from './probe.ts'

const adapter = defineAdapter({
  ...probe,
  structured: {
    ...probe.structured,
    launch: (options, context) => ({
      ...probe.structured.launch(options, context),
      environment: { TINY_URL: options.endpoint?.url ?? '', TINY_KEY: options.endpoint?.credential ?? '' },
    }),
  },
})

test('what the child has in place of a credential is good while its turn runs, and for nothing afterwards', async () => {
  const asked: unknown[] = []
  const provider = await serve((incoming, response) => {
    asked.push(incoming.headers.authorization)
    response.end('answer')
  })
  const goOn = scratchFile('go-on')
  const program = shell(
    `echo '${hello}'`,
    `printf '{"type":"say","text":"%s %s"}\\n' "$TINY_URL" "$TINY_KEY"`,
    `while [ ! -e ${goOn} ]; do sleep 0.05; done`,
    `echo '${said}'`,
    `echo '${bye}'`,
  )
  const turn = startTurn({
    adapter,
    prompt: 'hello',
    binary: program,
    cwd: scratch,
    home: { directory: scratchFile('home') },
    conversations: { directory: scratchFile('talks') },
    endpoint: { url: provider, credential: 'real-key' },
    redact: false,
  })
  const [url = '', token = ''] = await new Promise<string[]>((resolve) => {
    turn.once('delta', ({ text }) => resolve(text.split(' ')))
  })
  expect(token).not.toContain('real-key')
  const ask = (words: object) => fetch(url, { headers: { ...words } })
  const own = { authorization: `Bearer ${token}` }
  expect(await (await ask(own)).text()).toBe('answer')
  expect((await ask(authorized)).status).toBe(401)
  writeFileSync(goOn, '')
  expect(await turn.completion).toMatchObject({ status: 'success', credentialExposure: 'hidden' })
  await expect(ask(own)).rejects.toThrow('fetch failed')
  expect(asked).toEqual(['Bearer real-key'])
})
