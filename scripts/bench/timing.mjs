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

/**
 * Measures in pairs, in changing order, after one warm-up, until the interval of `of(first, second)` is on one side of the
 * aim: at least 5 pairs, at most 25.
 */
export async function comparePairs(first, second, of, isGood) {
  const values = []
  await first()
  await second()
  for (;;) {
    const runs = values.length % 2 === 0 ? [first, second] : [second, first]
    const times = new Map()
    for (const run of runs) {
      const start = performance.now()
      await run()
      times.set(run, performance.now() - start)
    }
    values.push(of(times.get(first), times.get(second)))
    const interval = medianInterval(values)
    const outcome = verdict(interval, isGood)
    if (values.length >= 25 || (values.length >= 5 && outcome !== 'not decided')) return { interval, outcome }
  }
}

/** The median with its 95 % confidence interval, from the ranks alone: [low, median, high]. */
export function medianInterval(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const reach = 0.98 * Math.sqrt(sorted.length)
  const at = (rank) => sorted[Math.min(Math.max(Math.floor(rank), 0), sorted.length - 1)]
  return [at(sorted.length / 2 - reach), median(values), at(sorted.length / 2 + reach)]
}

/** Whether an interval is on the good side of an aim ('met'), on the bad one ('missed'), or on both ('not decided'). */
export function verdict([low, , high], isGood) {
  if (isGood(low) && isGood(high)) return 'met'
  return isGood(low) || isGood(high) ? 'not decided' : 'missed'
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
