import { replay } from '../../dist/index.js'
import { alternate, chunked, floorOfOneLine } from './timing.mjs'

const megabyte = 1024 * 1024

/** One long line against the floor, and whether the time grows with the length. */
export async function longLine() {
  const rows = []
  let perMegabyte
  for (const size of [1, 4, 16, 64]) {
    const chunks = chunked(line(size * megabyte))
    const bare = async () => floorOfOneLine(chunks)
    const ours = async () => {
      for await (const _ of replay({ adapter: 'claude-code', stdout: chunks }));
    }
    const [floorTime, ourTime] = await alternate([bare, ours], size > 16 ? 5 : 15)
    // A line of 1 MB takes a few milliseconds: too little to compare with on a busy machine.
    if (size === 4) perMegabyte = ourTime / size
    const growth = perMegabyte === undefined ? undefined : ourTime / size / perMegabyte
    const outcome = size < 64 ? '' : ourTime / floorTime <= 2 && growth <= 2 ? 'met' : 'missed'
    rows.push([`${size} MB`, (ourTime / floorTime).toFixed(2), growth?.toFixed(2) ?? '', outcome])
  }
  return {
    title: 'One long line',
    note: 'Time as a multiple of the floor, and time per MB as a multiple of that of the 4 MB line. The aim: at most 2 for 64 MB, and linear.',
    header: ['line', 'times the floor', 'per MB, against 4 MB', 'the aim is'],
    rows,
  }
}

function line(bytes) {
  const content = [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x'.repeat(bytes) }]
  return Buffer.from(
    `${JSON.stringify({ type: 'user', message: { role: 'user', content }, session_id: 's' })}\n`,
  )
}
