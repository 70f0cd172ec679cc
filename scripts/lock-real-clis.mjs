// Writes test/clis/package-lock.json after a pin in its package.json was changed: node scripts/lock-real-clis.mjs
//
// `npm install` alone will not do: it leaves an optional package out of the lockfile when the registry in use does not have it
// (a mirror without codex 0.113's packages for other platforms), and `npm ci` then calls the lockfile incomplete, although this
// machine needs none of them. So they are added here, without an integrity, which only the registry could tell.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../test/clis/', import.meta.url))
const file = `${folder}package-lock.json`

// From the lockfile that is there: a pin that comes in then moves nothing of the others, and nobody installs 2 GB again.
npm('install', '--package-lock-only', '--ignore-scripts', '--omit-lockfile-registry-resolved')
const lockfile = JSON.parse(readFileSync(file, 'utf8'))
for (const [path, description] of Object.entries(lockfile.packages)) {
  for (const [name, wanted] of Object.entries(description.optionalDependencies ?? {})) {
    const alias = /^npm:(.+)@([^@]+)$/.exec(wanted)
    const version = alias?.[2] ?? wanted
    if (path === '' || !/^\d[\w.-]*$/.test(version) || lockedFor(path, name)?.version === version) continue
    // codex names the platform in the version of an alias, opencode in the package's own name.
    const entry = alias ? lookUp(alias[1], version, version) : lookUp(name, version, name)
    lockfile.packages[alias ? `${path}/node_modules/${name}` : `node_modules/${name}`] = entry
  }
}
const paths = Object.keys(lockfile.packages).sort()
lockfile.packages = Object.fromEntries(paths.map((path) => [path, lockfile.packages[path]]))
const text = `${JSON.stringify(lockfile, null, 2)}\n`
if (text.includes('"resolved"')) throw new Error('The lockfile names a registry host.')
writeFileSync(file, text)

/** What a package at that path finds under a name: its own, or one further up. */
function lockedFor(path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    const found = lockfile.packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]
    if (found || at === '') return found
  }
}

function lookUp(name, version, platform) {
  const words = platform.replace('windows', 'win32').split('-')
  const entry = {
    name,
    version,
    cpu: words.filter((word) => ['x64', 'arm64'].includes(word)),
    ...(words.includes('musl') && { libc: ['musl'] }),
    optional: true,
    os: words.filter((word) => ['darwin', 'linux', 'win32'].includes(word)),
  }
  try {
    const integrity = npm('view', `${name}@${version}`, 'dist.integrity').trim()
    return { name, version, integrity, ...entry }
  } catch {
    console.warn(`not in this registry, locked by its version alone: ${name}@${version}`)
    return entry
  }
}

function npm(...args) {
  return execFileSync('npm', [...args, '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
