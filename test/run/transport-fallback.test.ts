import { expect, test } from 'vitest'
import { defineAdapter } from '../../src/index.ts'
import { tinyLiveCli } from '../tiny-live-cli.ts'
import { bye, collect, echo, hello, said, scratch, shell, start } from './probe.ts'

/** Would run live, where it streams more, if its version, 1.1.0, allowed; its key works on the other transport only. */
function tooOldForLive() {
  const adapter = tinyLiveCli()
  const { live, capabilities } = adapter
  if (!live) throw new Error('The tiny live CLI has no live transport.')
  return defineAdapter({
    ...adapter,
    credentials: [
      { name: 'api-key', variables: ['TINY_KEY'], billing: 'api', transports: ['structured'] },
      { name: 'token', variables: ['TINY_TOKEN'], billing: 'subscription', transports: ['live'] },
    ],
    capabilities: { ...capabilities, streams: { ...capabilities.streams, text: 'block' } },
    live: {
      ...live,
      floor: '1.2.0',
      capabilities: { streams: { ...capabilities.streams, text: 'token' } },
    },
  })
}

test('a turn that falls back gets the credentials of the transport that it takes, and they are hidden', async () => {
  const tell = shell(
    'cat >/dev/null',
    echo(hello),
    `printf '{"type":"say","text":"%s %s"}\\n' "key=$TINY_KEY" "token=$TINY_TOKEN"`,
    echo(said, bye),
  )
  const events = await collect(
    start(tell, {
      adapter: tooOldForLive(),
      environment: {
        ...process.env,
        HOME: scratch,
        TINY_KEY: 'tide-key-7f3a9b',
        TINY_TOKEN: 'tide-token-81cc',
      },
    }),
  )
  expect(events.map((event) => ('code' in event ? event.code : event.type))).toContain('transport_fallback')
  expect(events.at(-1)).toMatchObject({ status: 'success', text: 'key=[redacted:TINY_KEY] token=' })
  expect(JSON.stringify(events)).not.toContain('tide-')
})
