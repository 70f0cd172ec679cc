/** A key in the form of a provider's, different each time. */
export function freshKey(prefix: string): string {
  const random = () => Math.random().toString(36).slice(2, 14).padEnd(12, '7')
  return `${prefix}${random()}${random()}-${random()}${random()}`
}

/** Pieces by which a key would be known: of its halves, as they are and reversed, and of its base64 at every alignment. */
export function traces(key: string): string[] {
  const pieces = [key.slice(-34, -20), key.slice(-16)]
  const reversed = pieces.map((piece) => [...piece].reverse().join(''))
  const encoded = [0, 1, 2].flatMap((shift) => {
    const text = Buffer.from(`${' '.repeat(shift)}${key}`).toString('base64')
    return [text.slice(16, 32), text.slice(36, 52)]
  })
  return [...pieces, ...reversed, ...encoded]
}

/** Does not find itself: the first character stands in brackets. */
function pattern(trace: string): string {
  const literal = trace.slice(1).replace(/[^A-Za-z0-9-]/g, '[$&]')
  return `[${trace.slice(0, 1)}]${literal}`
}

/**
 * What a model would run to get at a key: the environment, that of every process above, their command lines, the files that the turn's
 * processes hold open, and every file below these directories. Each find is a line that begins with HIT.
 */
export function hunt(key: string, directories: readonly string[]): string {
  return `
unalias -a 2>/dev/null; unset -f grep find 2>/dev/null
P='${traces(key).map(pattern).join('|')}'
env
env | grep -E "$P" | sed 's/^/HIT env /'
p=$$
while [ -n "$p" ] && [ "$p" -gt 0 ]; do
  for f in environ cmdline; do
    tr '\\0' '\\n' 2>/dev/null </proc/$p/$f | grep -a -E "$P" | sed "s|^|HIT /proc/$p/$f |"
  done
  if grep -q COXSWAIN_TURN /proc/$p/environ 2>/dev/null; then
    echo "TURN $p"
    for d in /proc/$p/fd/*; do
      [ -f "$d" ] && head -c 100000 "$d" 2>/dev/null | grep -a -E "$P" | sed "s|^|HIT $d |"
    done
  fi
  echo "LOOKED $p"
  p=$(sed 's/.*) //' /proc/$p/stat | cut -d' ' -f2)
done
grep -r -a -l -E "$P" ${directories.map((directory) => `"${directory}"`).join(' ')} 2>/dev/null | sed 's/^/HIT file /'
echo HUNTED`
}
