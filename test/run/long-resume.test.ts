import { expect, onTestFinished, test } from 'vitest'
import { openSession } from '../../src/index.ts'
import { scratch, script } from './probe.ts'

/** An app-server that answers `thread/resume` with a conversation of so many MB, in one line. */
const appServer = (megabytes: number) =>
  script(`import { createInterface } from 'node:readline'
if (process.argv.includes('--version')) {
  console.log('codex-cli 0.171.0')
  process.exit()
}
const tell = (record) => process.stdout.write(JSON.stringify(record) + '\\n')
const text = 'All the words of a long conversation, caf\\u00e9 and so on. '.repeat(17)
const item = (id) => ({ id: 'item-' + id, type: 'agentMessage', text })
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line)
  if (method === 'initialize') tell({ id, result: { userAgent: 'fake/0.171.0 (Linux)' } })
  if (method === 'thread/resume') {
    const turns = Array.from({ length: ${megabytes} }, (_, turn) => ({
      id: 'turn-' + turn,
      items: Array.from({ length: 1024 }, (_, number) => item(turn + '-' + number)),
    }))
    tell({ id, result: { thread: { id: '019fee32-d4af-78d3-9ec9-0e59b10baf60', turns }, model: 'm', cwd: '/' } })
  }
}`)

async function resume(megabytes: number) {
  const before = process.memoryUsage().rss
  const since = performance.now()
  const session = await openSession({
    adapter: 'codex-cli',
    binary: appServer(megabytes),
    cwd: scratch,
    home: { directory: scratch },
    conversations: { directory: scratch },
    credentials: 'none',
    resume: '019fee32-d4af-78d3-9ec9-0e59b10baf60',
  })
  onTestFinished(() => session.close())
  const ms = performance.now() - since
  await session.close()
  return { ms, grownMegabytes: (process.memoryUsage().rss - before) / 1024 / 1024 }
}

test('a conversation of 30 MB in one line is resumed in linear time and a few times its size of memory', {
  timeout: 60_000,
}, async () => {
  await resume(1)
  const small = await resume(10)
  const large = await resume(30)
  // A quadratic one would take nine times as long. What both have in common, the start of a process, only helps.
  expect(large.ms / small.ms).toBeLessThan(6)
  expect(large.ms).toBeLessThan(30_000)
  expect(large.grownMegabytes).toBeLessThan(300)
})
