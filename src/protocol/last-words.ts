/**
 * The line of stderr that tells best why a program ended: its last one. Of an error that a Node program did not catch it is the
 * error, which stands above its stack and Node's version.
 */
export function lastWords(stderr: string): string | undefined {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const uncaught = lines.findLastIndex((line) => nodeVersion.test(line))
  const error = uncaught === -1 ? undefined : lines.slice(0, uncaught).findLast((line) => thrown.test(line))
  return (error ?? lines.at(-1))?.trim().slice(0, 500)
}

const nodeVersion = /^Node\.js v\d/
const thrown = /^(?:Uncaught )?[A-Z]\w*(?: \[\w+\])?: /
