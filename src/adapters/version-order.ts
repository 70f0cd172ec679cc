/** Whether a version is `floor` or newer; what follows the third number is not looked at. undefined where it is no version. */
export function isAtLeast(version: string, floor: string): boolean | undefined {
  const actual = numbers(version)
  const wanted = numbers(floor)
  if (!actual || !wanted) return undefined
  for (const [index, number] of actual.entries()) {
    const other = wanted[index] ?? 0
    if (number !== other) return number > other
  }
  return true
}

function numbers(version: string): number[] | undefined {
  const found = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(version)
  return found?.slice(1).map((part) => Number(part ?? 0))
}
