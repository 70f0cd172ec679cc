import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { findChromium, noChromium } from '../../scripts/chromium.mjs'

/** Vitest's global setup of the project 'browser': the example imports the package by its name, which is what was built. */
export default async function setup(): Promise<void> {
  if (findChromium() === undefined) throw new Error(noChromium)
  await execa('npx', ['tsup', '--no-dts', '--silent'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  })
}
