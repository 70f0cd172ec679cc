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

/** Adds rounds of `measure` until the interval of its values is on one side of the aim: at least 5, at most 25. One warm-up before. */
export async function decide(measure, isGood) {
  const values = []
  await measure()
  for (;;) {
    values.push(await measure())
    const interval = centerInterval(values)
    const outcome = verdict(interval, isGood)
    if (values.length >= 25 || (values.length >= 5 && outcome !== 'not decided')) return { interval, outcome }
  }
}

/**
 * The centre with its 95 % confidence interval: [low, centre, high]. The median of all means of two (Hodges and Lehmann), which needs two
 * thirds of the rounds that a median needs, and the ranks of the signed-rank test.
 */
export function centerInterval(values) {
  const means = values
    .flatMap((a, index) => values.slice(index).map((b) => (a + b) / 2))
    .sort((a, b) => a - b)
  const count = values.length
  const spread = Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24)
  const low = Math.max(0, Math.floor(means.length / 2 - 1.96 * spread))
  return [means[low], median(means), means[means.length - 1 - low]]
}

/** Whether an interval is on the good side of an aim ('met'), on the bad one ('missed'), or on both ('not decided'). */
export function verdict([low, , high], isGood) {
  if (isGood(low) && isGood(high)) return 'met'
  return isGood(low) || isGood(high) ? 'not decided' : 'missed'
}

/** Decode, split on LF, JSON.parse, nothing else. */
export class Floor {
  records = 0
  #decoder = new TextDecoder()
  #rest = ''

  push(chunks) {
    for (const chunk of chunks) {
      const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n')
      this.#rest = lines.pop()
      for (const line of lines) {
        if (line === '') continue
        JSON.parse(line)
        this.records++
      }
    }
  }
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
