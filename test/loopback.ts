import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Server } from 'node:net'

/** Listens where only this machine is heard. Returns the port. */
export async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

/** The answer's head. Rejects where the connection breaks before it. */
export function answerTo(asking: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => asking.once('response', resolve).once('error', reject))
}
