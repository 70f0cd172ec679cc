import { ensureRealClis } from './clis.ts'

/** Vitest's global setup: once, before the first test of the project 'real'. */
export default async function setup(): Promise<void> {
  await ensureRealClis()
}
