/** Runs the functions in turn, `rounds` times, and returns the median of each, in milliseconds. */
export async function alternate(functions, rounds) {
  const times = functions.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, run] of functions.entries()) {
      const start = performance.now()
      await run()
      times[index].push(performance.now() - start)
    }
  }
  return times.map(median)
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** Decode, split on LF, JSON.parse, nothing else. */
export function floor(chunks) {
  const decoder = new TextDecoder()
  let rest = ''
  let records = 0
  for (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      if (line === '') continue
      JSON.parse(line)
      records++
    }
  }
  return records
}

/** The floor for long lines, which must not be penalised for joining strings: bytes are joined once. */
export function floorOfOneLine(chunks) {
  return JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)))
}

/** In pieces of 64 KiB, as a pipe gives them. */
export function chunked(bytes) {
  const chunks = []
  for (let start = 0; start < bytes.length; start += 65_536)
    chunks.push(bytes.subarray(start, start + 65_536))
  return chunks
}
