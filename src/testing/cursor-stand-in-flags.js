// The part of the stand-in that knows its command line. An unknown flag ends the run, as in the real one.
export function readFlags(words, fail) {
  const found = {}
  for (let index = 0; index < words.length; index++) {
    const [flag, glued] = words[index].split(/=(.*)/s)
    const value = () => glued ?? words[++index]
    if (flag === '--version' || flag === '-v') found.version = true
    else if (flag === '--print' || flag === '-p') found.print = true
    else if (flag === '--output-format') found.format = value()
    else if (flag === '--stream-partial-output') found.partial = true
    else if (flag === '--trust') found.trust = true
    else if (flag === '--force' || flag === '-f' || flag === '--yolo') found.force = true
    else if (flag === '--auto-review') found.autoReview = true
    else if (flag === '--sandbox') found.sandbox = value()
    else if (flag === '--model') found.model = value()
    else if (flag === '--mode') found.mode = value()
    else if (flag === '--resume') found.resume = glued
    else if (flag === 'acp') found.acp = true
    else
      fail(
        flag.startsWith('-')
          ? `error: unknown option '${flag}'`
          : 'The stand-in reads its prompt from stdin only.',
      )
  }
  return found
}
