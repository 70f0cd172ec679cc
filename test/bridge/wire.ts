import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import type { BridgeSession } from '../../src/bridge.ts'

/** Bytes as they are on the wire, and all that comes back until the connection is closed. */
export async function raw(session: Pick<BridgeSession, 'url'>, bytes: string): Promise<string> {
  const socket = dial(session)
  socket.write(bytes)
  return answerOn(socket)
}

export function dial({ url }: Pick<BridgeSession, 'url'>): Socket {
  return connectSocket(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
}

export async function answerOn(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  return text
}
