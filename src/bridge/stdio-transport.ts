import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { ChildExit } from '../run/child.ts'
import type { StdioServer } from '../run/stdio-server.ts'

/**
 * MCP on the stdin and stdout of a process that somebody else starts and ends. The SDK's own adds variables of the host to the
 * server's environment, and leaves what the server has started.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  /** It printed what is no message of MCP. */
  printedOther = false
  /** How the process ended, once it has. */
  exit: ChildExit | undefined
  readonly #server: StdioServer
  readonly #buffer = new ReadBuffer()

  constructor(server: StdioServer) {
    this.#server = server
  }

  async start(): Promise<void> {
    this.#server.stdout.on('data', (chunk: Buffer) => this.#hear(chunk))
    this.#server.exited.then((exit) => {
      this.exit = exit
      // What it said last may still be on its way.
      this.#server.stdout.once('close', () => this.onclose?.())
      if (this.#server.stdout.closed) this.onclose?.()
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#server.write(serializeMessage(message))
  }

  async close(): Promise<void> {
    this.#buffer.clear()
    this.onclose?.()
  }

  #hear(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk)
    } catch {
      // A line of more than 10 MB.
      this.printedOther = true
      return
    }
    for (let message = this.#next(); message !== null; message = this.#next()) {
      if (message) this.onmessage?.(message)
    }
  }

  /** undefined: a line that is no message; null: there is no whole line. */
  #next(): JSONRPCMessage | undefined | null {
    try {
      return this.#buffer.readMessage()
    } catch {
      this.printedOther = true
      return undefined
    }
  }
}
