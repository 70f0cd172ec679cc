// How the fake CLI cuts its output. A part of fake-cli-process.js.

/**
 * @param {Buffer} bytes
 * @param {undefined | 'lines' | 'inside-characters' | number | number[]} chunks
 * @returns {Buffer[]} pieces that joined are the same bytes; none is empty
 */
export function divide(bytes, chunks) {
  if (chunks === undefined) return [bytes]
  const cuts = [0, ...cutsFor(bytes, chunks), bytes.length]
  return cuts.slice(1).flatMap((cut, index) => (cut > cuts[index] ? [bytes.subarray(cuts[index], cut)] : []))
}

function cutsFor(bytes, chunks) {
  if (Array.isArray(chunks)) return chunks.filter((cut) => cut < bytes.length)
  if (chunks === 'lines') return positions(bytes, (index) => bytes[index - 1] === 10)
  if (chunks === 'inside-characters') return positions(bytes, (index) => (bytes[index] & 0xc0) === 0x80)
  return positions(bytes, (index) => index % chunks === 0)
}

function positions(bytes, isCut) {
  const cuts = []
  for (let index = 1; index < bytes.length; index++) if (isCut(index)) cuts.push(index)
  return cuts
}
