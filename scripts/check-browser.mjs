// The part of `npm run check` that needs a browser: left out where there is none, and said so; in CI that is a failure.
import { spawnSync } from 'node:child_process'
import { findChromium, noChromium } from './chromium.mjs'

if (findChromium() === undefined && !process.env.CI) {
  console.log(`The test of the browser example (npm run test:browser) is left out. ${noChromium}`)
} else {
  const { status } = spawnSync('npm', ['run', 'test:browser'], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
