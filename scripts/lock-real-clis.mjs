// Writes test/clis/package-lock.json after a pin in its package.json was changed: node scripts/lock-real-clis.mjs
//
// `npm install` alone will not do: it leaves an optional package out of the lockfile when the registry in use does not have it
// (a mirror without codex 0.113's packages for other platforms), and `npm ci` then calls the lockfile incomplete, although this
// machine needs none of them. So they are added here, without an integrity, which only the registry could tell.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../test/clis/', import.meta.url))
const file = `${folder}package-lock.json`

rmSync(file, { force: true })
npm('install', '--package-lock-only', '--ignore-scripts', '--omit-lockfile-registry-resolved')
const lockfile = JSON.parse(readFileSync(file, 'utf8'))
for (const [path, description] of Object.entries(lockfile.packages)) {
  for (const [name, wanted] of Object.entries(description.optionalDependencies ?? {})) {
    const pinned = /^npm:(.+)@([^@]+)$/.exec(wanted)
    if (path === '' || !pinned || lockedFor(path, name)?.version === pinned[2]) continue
    lockfile.packages[`${path}/node_modules/${name}`] = lookUp(pinned[1], pinned[2])
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

function lookUp(name, version) {
  const [os, cpu] = version.split('-').slice(-2)
  const entry = { name, version, cpu: [cpu], optional: true, os: [os] }
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
