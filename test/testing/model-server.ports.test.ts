import { expect, it } from 'vitest'
import { startModelServer } from '../../src/testing/model-server.ts'

it.each([99_999, -1, 1.5, Number.NaN])(
  'a port that is none (%s) is named, with what to give',
  async (port) => {
    await expect(startModelServer({ port })).rejects.toMatchObject({
      code: 'invalid_options',
      message: `startModelServer: \`port\` is no port: ${port}.`,
      hint: expect.stringContaining('0 to 65535'),
    })
  },
)

it('a port that is taken is named, with what to give', async () => {
  await using first = await startModelServer()
  await expect(startModelServer({ port: Number(new URL(first.url).port) })).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining('EADDRINUSE'),
    hint: expect.stringContaining('another `port`'),
  })
})
