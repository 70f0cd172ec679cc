// A CLI that prints a million fragments as fast as it is read.
import { once } from 'node:events'

const total = 1_000_000
if (process.argv.includes('--version')) {
  console.log('2.1.332 (Claude Code)')
} else {
  process.stdin.resume()
  const event = (fields) =>
    `${JSON.stringify({ type: 'stream_event', session_id: 's', parent_tool_use_id: null, event: fields })}\n`
  const delta = event({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: 'a few words of it ' },
  })
  const write = async (text) => process.stdout.write(text) || (await once(process.stdout, 'drain'))
  await write(
    `${JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] })}\n`,
  )
  const perMessage = 1_000
  for (let message = 0; message < total / perMessage; message++) {
    const id = `msg_${message}`
    await write(event({ type: 'message_start', message: { id, role: 'assistant', content: [] } }))
    await write(event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }))
    for (let batch = 0; batch < 10; batch++) await write(delta.repeat(perMessage / 10))
    const content = [{ type: 'text', text: 'a few words of it '.repeat(perMessage) }]
    await write(
      `${JSON.stringify({ type: 'assistant', session_id: 's', parent_tool_use_id: null, message: { id, role: 'assistant', content } })}\n`,
    )
    await write(event({ type: 'content_block_stop', index: 0 }) + event({ type: 'message_stop' }))
  }
  await write(
    `${JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: '', session_id: 's' })}\n`,
  )
}
