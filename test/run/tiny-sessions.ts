import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSession, type Session, type SessionOptions } from '../../src/index.ts'
import { tinyLiveCli, tinyLiveProgram } from '../tiny-live-cli.ts'
import { scratch } from './probe.ts'

const program = join(scratch, 'live.mjs')
writeFileSync(program, tinyLiveProgram)

/** Of a session with the tiny CLI. */
export const options: SessionOptions = {
  adapter: tinyLiveCli(),
  binary: [process.execPath, program],
  cwd: scratch,
  home: { directory: join(scratch, 'home') },
  conversations: { directory: join(scratch, 'talks') },
}

/** Closed when the test is over. */
export async function open(more: Partial<SessionOptions> = {}): Promise<Session> {
  const session = await openSession({ ...options, ...more })
  onTestFinished(() => session.close())
  return session
}

/** Of its process. */
export const pidOf = (session: Session) => Number(/talk-(\d+)/.exec(session.id ?? '')?.[1])
