import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * The body of a request; undefined: it is longer than `limit`, of which nothing more was read. Rejects when the client goes
 * away in the middle.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return undefined
  if (request.headers.expect !== undefined) response.writeContinue()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const settle = () => {
      request.off('data', take).off('end', finish).off('close', giveUp)
    }
    const take = (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) return chunks.push(chunk)
      settle()
      request.pause()
      return resolve(undefined)
    }
    const finish = () => {
      settle()
      resolve(Buffer.concat(chunks).toString())
    }
    const giveUp = () => {
      settle()
      reject(new Error('The client went away.'))
    }
    request.on('data', take).on('end', finish).on('close', giveUp)
  })
}

export function hasBody(request: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  return encoding !== undefined || length !== '0'
}
