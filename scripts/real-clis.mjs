// Installs the real CLIs that test/clis pins, and says where they are. For the tests and the demo; not published.
import { execFile } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const folder = fileURLToPath(new URL('../test/clis/', import.meta.url))
const installed = join(folder, 'node_modules')
const lock = join(folder, '.installing')

/** A folder with other versions under aliases of ours, which are driven in the place of the pinned ones. */
const tried = process.env.COXSWAIN_REAL_CLIS

const inside = (path) => join(installed, path)

/** pi 1.x needs Node >= 22.19, and the faults of the field want a newer Node too. */
export const node24 = inside('node-24/bin/node')

/** Newest first, so that the first of an adapter is the one to show. */
export const realClis = [
  row('claude-2.1', 'claude-code', '2.1.332', [inside('claude-2.1/bin/claude.exe')]),
  row('claude-2.0', 'claude-code', '2.0.72', [inside('claude-2.0/cli.js')]),
  row('claude-1.0', 'claude-code', '1.0.124', [inside('claude-1.0/cli.js')]),
  row('codex-0.171', 'codex-cli', '0.171.0', [inside('codex-0.171/bin/codex.js')]),
  row('codex-0.113', 'codex-cli', '0.113.0', [inside('codex-0.113/bin/codex.js')]),
  // Its file came without the executable bit.
  row('codex-0.55', 'codex-cli', '0.55.0', [process.execPath, inside('codex-0.55/bin/codex.js')]),
  row('pi-1.6', 'pi-cli', '1.6.0', [node24, inside('pi-1.6/dist/bundle/cli.js')]),
  row('pi-1.3', 'pi-cli', '1.3.0', [node24, inside('pi-1.3/dist/bundle/cli.js')]),
  row('pi-0.85', 'pi-cli', '0.85.1', [node24, inside('pi-0.85/dist/bundle/cli.js')]),
  row('pi-0.73', 'pi-cli', '0.73.1', [inside('pi-0.73/dist/cli.js')]),
  row('pi-0.63', 'pi-cli', '0.63.2', [inside('pi-0.63/dist/cli.js')]),
]

/** The newest one of each adapter. */
export function newestClis() {
  return realClis.filter(
    ({ adapter }, index) => realClis.findIndex((cli) => cli.adapter === adapter) === index,
  )
}

/** Agents of other makers that speak ACP. opencode's native binary is run as it is: what npm links to is put there by a script. */
export const realAcpAgents = [
  agent('claude-agent-acp-0.49', '0.49.0', [node24, inside('claude-agent-acp-0.49/dist/index.js')]),
  agent('opencode-1.18', '1.18.33', [
    inside(`opencode-${process.platform}-${process.arch}/bin/opencode`),
    'acp',
  ]),
  agent('codex-acp-2.6', '2.6.0', [node24, inside('codex-acp-2.6/dist/index.js')]),
]

function agent(alias, version, command) {
  return Object.freeze({ alias, version, command: Object.freeze(command) })
}

function row(alias, adapter, version, binary) {
  const { version: other, program } = instead(alias)
  const words = program === undefined ? binary : [...binary.slice(0, -1), program]
  return Object.freeze({ alias, adapter, version: other ?? version, binary: Object.freeze(words) })
}

function instead(alias) {
  const own = tried && join(resolve(tried), 'node_modules', alias)
  if (!own || !existsSync(join(own, 'package.json'))) return {}
  const { version, bin } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'))
  return { version, program: join(own, Object.values(bin)[0]) }
}

export async function ensureRealClis(say = console.log) {
  if (tried) sayTried(say)
  if (isInstalled()) return finish()
  if (isLink(installed)) {
    // `npm ci` would empty the folder that it points to, under somebody else's feet.
    say(`test/clis/node_modules is a link and not up to date: run "npm ci" where it points to.`)
    return
  }
  await takeLock(say)
  try {
    if (!isInstalled()) await install(say)
    await finish()
  } finally {
    rmSync(lock, { force: true })
  }
}

function sayTried(say) {
  const others = realClis.filter(({ alias }) => instead(alias).version)
  if (others.length === 0) {
    const aliases = realClis.map(({ alias }) => alias).join(', ')
    throw new Error(`COXSWAIN_REAL_CLIS: ${resolve(tried)}/node_modules has none of ${aliases}.`)
  }
  say(
    `In the place of the pinned ones: ${others.map(({ alias, version }) => `${alias} ${version}`).join(', ')}.`,
  )
}

/** Whether all that the lockfile pins for this platform is there. npm writes its own record last, so half an install has none. */
function isInstalled() {
  const record = join(installed, '.package-lock.json')
  if (!existsSync(record)) return false
  const there = JSON.parse(readFileSync(record, 'utf8')).packages
  const pinned = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages
  return Object.entries(pinned).every(
    ([path, { version, optional }]) => path === '' || optional || there[path]?.version === version,
  )
}

async function install(say) {
  const start = Date.now()
  say('Installing the real CLIs that test/clis pins (about 2 GB, once; takes some minutes) ...')
  // Without install scripts, which a newer npm asks about: the one that matters is run by finish().
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await promisify(execFile)('npm', args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch((error) => {
    const said = `${error.stderr ?? ''}`.trim() || error.message
    throw new Error(`"npm ci" in test/clis failed. Run it there by hand once the cause is gone.\n${said}`)
  })
  say(`Installed in ${Math.round((Date.now() - start) / 1000)} s.`)
}

/** What the packages' own install scripts would do: claude's native binary in its place, and one path for this platform's Node. */
async function finish() {
  // The placeholder is a script of 500 bytes.
  if (statSync(inside('claude-2.1/bin/claude.exe')).size < 1_000_000) {
    await promisify(execFile)(process.execPath, ['install.cjs'], { cwd: inside('claude-2.1') })
  }
  const platformNode = `node-24-${process.platform}-${process.arch}`
  if (!existsSync(node24) && existsSync(inside(platformNode))) symlinkSync(platformNode, inside('node-24'))
  const paths = [...realClis.flatMap((cli) => cli.binary), ...realAcpAgents.map(({ command }) => command[0])]
  const missing = paths.find((path) => !existsSync(path))
  if (missing) throw new Error(`${missing} is missing. Remove test/clis/node_modules and try again.`)
}

/** One process installs, the others wait for it. The lock of a process that died is taken over. */
async function takeLock(say) {
  for (let waited = false; ; waited = true) {
    try {
      return writeFileSync(lock, String(process.pid), { flag: 'wx' })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const holder = holderOfLock()
    if (holder !== undefined && !isAlive(holder)) rmSync(lock, { force: true })
    else {
      if (!waited) say(`Waiting for process ${holder ?? 'unknown'}, which installs the real CLIs ...`)
      await wait(500)
    }
  }
}

function holderOfLock() {
  try {
    return Number(readFileSync(lock, 'utf8')) || undefined
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}
