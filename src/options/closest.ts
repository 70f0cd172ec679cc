/** The known name that a mistyped one most likely meant; undefined when none is near. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase()
  let best: string | undefined
  // Two slips in a short name make another word; longer ones bear more.
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    // No slip doubles a name, and a name of a megabyte would take seconds to compare.
    if (name.length > 2 * candidate.length + 2) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[to.length] ?? 0
}
