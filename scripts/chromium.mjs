// Where a Chromium is, for the test of the browser example; undefined: nowhere.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export const noChromium =
  'No Chromium found: install one ("apt-get install chromium"), or name it in COXSWAIN_CHROMIUM.'

export function findChromium(environment = process.env) {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const named = environment.COXSWAIN_CHROMIUM
  return (named ? [named] : [...onPath, ...applications]).find(isExecutable)
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
