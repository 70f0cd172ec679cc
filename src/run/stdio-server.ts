import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type ChildExit, startChild } from './child.ts'
import { markVariable, TurnProcesses } from './processes.ts'
import { endLeftovers, endTurnProcesses } from './shutdown.ts'
import { guardAgainstHostDeath } from './watchdog.ts'
import { within } from './within.ts'

/** A program that speaks a protocol on its stdin and stdout, started for a question or two. */
export interface StdioServer {
  stdout: Readable
  exited: Promise<ChildExit>
  write(text: string): void
  /** Ends it with all that it started: as MCP asks, by the end of its input first. */
  end(): Promise<void>
}

export interface StdioCommand {
  command: string
  arguments: readonly string[]
  cwd: string
  /** The whole environment. */
  environment: Readonly<Record<string, string>>
}

const inputEndMs = 250

/** @throws AgentError `not_executable` or `spawn_failed` */
export async function startStdioServer(command: StdioCommand): Promise<StdioServer> {
  const mark = randomUUID()
  const child = await startChild({
    file: command.command,
    arguments: command.arguments,
    cwd: command.cwd,
    environment: { ...command.environment, [markVariable]: mark },
  })
  const processes = new TurnProcesses(mark, child.pid)
  const release = guardAgainstHostDeath(mark, { pid: child.pid, startTime: processes.startTime }, 'SIGTERM')
  // A server that says much there must not stand still for it.
  child.stderr.resume()
  return {
    stdout: child.stdout,
    exited: child.exited,
    write: (text) => child.write(text),
    async end() {
      // Who descends from it can be seen only while it lives.
      await processes.find()
      child.endInput()
      const left = await within(child.exited, inputEndMs)
      await (left ? endLeftovers(processes) : endTurnProcesses(child, processes, 'SIGTERM'))
      child.release()
      release()
    },
  }
}
