import { ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getAdapter, startTurn } from '../../dist/index.js'
import { ensureRealClis, realClis } from '../real-clis.mjs'
import { centerInterval, median, verdict } from './timing.mjs'

const apis = { 'claude-code': 'anthropic', 'codex-cli': 'openai-responses', 'pi-cli': 'openai-chat' }
const aim = 0.03
const rounds = { least: 10, mostMinutes: 6 }
const prompt = 'Go.'

/** A whole turn against the bare CLI with the same arguments, environment, files and stdin, taken from the first turn. */
export async function overhead() {
  await ensureRealClis()
  const server = fork(fileURLToPath(new URL('model-server.mjs', import.meta.url)), Object.values(apis))
  const [endpoints] = await once(server, 'message')
  const rows = []
  try {
    for (const alias of ['claude-2.1', 'codex-0.171', 'pi-0.73']) {
      const cli = realClis.find((each) => each.alias === alias)
      const { bare, added, control, own, count } = await measure(cli, endpoints[apis[cli.adapter]])
      const outcome = verdict(added, (share) => share <= aim)
      rows.push([
        `${cli.adapter} ${cli.version}`,
        bare.toFixed(0),
        `${own.toFixed(0)} (${percent(own / bare)})`,
        shares(added),
        shares(control),
        `${count}`,
        outcome,
      ])
    }
  } finally {
    server.disconnect()
  }
  return {
    title: 'A whole turn',
    note: [
      'What `startTurn` adds to the bare CLI (same arguments, environment, files and stdin, a fresh home, the server asked directly, stdout read to its end) on a one-shot turn with two tool calls.',
      'The order changes from round to round; the model server is a process of its own; one warm-up each (the first turn of a process also starts the watchdog).',
      '"Own work" is all that `startTurn` does while the CLI is not running: before it starts and after it has ended.',
      'Every round runs the bare CLI twice: "added" is what a turn takes beyond the mean of the two (the centre of the rounds and its 95 % interval), "control" the second of them against the first: what is inside of it is noise.',
      `Rounds are added until the interval is on one side of the aim, at most ${rounds.mostMinutes} minutes; the aim: at most ${percent(aim)}.`,
    ].join(' '),
    header: ['CLI', 'bare (ms)', 'own work (ms)', 'added', 'control', 'rounds', 'the aim is'],
    rows,
  }
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`
}

function shares([low, middle, high]) {
  return `${percent(middle)} (${percent(low)} to ${percent(high)})`
}

async function measure(cli, endpoint) {
  const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'overhead-'))
  const environment = { ...process.env, HOME: folder }
  const turn = {
    adapter: cli.adapter,
    // A bare command that ends by itself: codex's own choice would be a process that waits for more.
    transport: 'structured',
    prompt,
    binary: [...cli.binary],
    endpoint,
    environment,
    cwd: folder,
    conversations: { directory: join(folder, 'conversations') },
  }
  const watch = watchStarts(cli.binary.at(-1))
  try {
    const run = async (options) => {
      const { status, error } = await startTurn(options).completion
      if (status !== 'success') throw new Error(`${cli.alias}: ${error?.message}`)
    }
    const { variable } = getAdapter(cli.adapter).home
    const template = join(folder, 'template')
    watch.once(({ env }) => cpSync(env[variable], template, { recursive: true, verbatimSymlinks: true }))
    // Visible: by hand, nobody puts a forwarder between the CLI and the server.
    await run({ ...turn, credentialExposure: 'visible' })
    const ours = () => run(turn)
    const bare = async () => {
      const home = await mkdtemp(join(folder, 'bare-'))
      cpSync(template, home, { recursive: true, verbatimSymlinks: true })
      return () => runBare(watch.command(variable, home))
    }
    const kinds = { bare, control: bare, ours: async () => ours }
    const times = { bare: [], control: [], ours: [], own: [] }
    const round = async (order) => {
      for (const kind of order) {
        const run = await kinds[kind]()
        const start = performance.now()
        await run()
        const end = performance.now()
        times[kind].push(end - start)
        if (kind === 'ours') times.own.push(end - start - watch.life())
      }
    }
    await round(['bare', 'ours'])
    for (const kind of Object.keys(times)) times[kind].length = 0
    const perRound = (share) => centerInterval(times.bare.map((_, index) => share(index)))
    const until = performance.now() + rounds.mostMinutes * 60_000
    for (let count = 1; ; count++) {
      await round(orders[count % orders.length])
      const added = perRound((at) => (2 * times.ours[at]) / (times.bare[at] + times.control[at]) - 1)
      const decided = verdict(added, (share) => share <= aim) !== 'not decided'
      const isLast = performance.now() > until
      if (!isLast && (count < rounds.least || !decided)) continue
      const control = perRound((at) => times.control[at] / times.bare[at] - 1)
      return { bare: median(times.bare), own: median(times.own), added, control, count }
    }
  } finally {
    watch.release()
    await rm(folder, { recursive: true, force: true })
  }
}

const orders = [
  ['bare', 'ours', 'control'],
  ['control', 'ours', 'bare'],
  ['ours', 'bare', 'control'],
  ['control', 'bare', 'ours'],
  ['bare', 'control', 'ours'],
  ['ours', 'control', 'bare'],
]

/** Watches the processes that run this file: how the first was started, and how long the latest lived. */
function watchStarts(file) {
  const { spawn: original } = ChildProcess.prototype
  let first
  let look = () => {}
  let life = Number.NaN
  /** Stdin holds the prompt; a further pipe may hold a key. */
  const listen = (fd, stream) => {
    const end = stream.end.bind(stream)
    stream.end = (text, ...rest) => {
      first.told[fd] = text
      return end(text, ...rest)
    }
  }
  ChildProcess.prototype.spawn = function (options) {
    const isWatched = options.file === file || options.args?.includes(file)
    const env = isWatched ? environmentOf(options) : {}
    if (isWatched && !first) look({ env })
    const start = performance.now()
    const result = original.call(this, options)
    if (!isWatched) return result
    this.once('exit', () => {
      life = performance.now() - start
    })
    if (!first) {
      first = { file: options.file, arguments: options.args.slice(1), env, cwd: options.cwd, told: [] }
      for (const [fd, stream] of this.stdio.entries()) if (stream && fd !== 1 && fd !== 2) listen(fd, stream)
    }
    return result
  }
  return {
    once: (act) => {
      look = act
    },
    life: () => life,
    /** The first command, with another home. */
    command: (variable, home) => {
      const moved = (text) => text.replaceAll(first.env[variable], home)
      const env = Object.fromEntries(Object.entries(first.env).map(([name, value]) => [name, moved(value)]))
      return { ...first, arguments: first.arguments.map(moved), env }
    },
    release: () => {
      ChildProcess.prototype.spawn = original
    },
  }
}

function environmentOf({ envPairs }) {
  return Object.fromEntries(envPairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2)))
}

function runBare({ file, arguments: rest, env, cwd, told }) {
  return new Promise((resolve, reject) => {
    const stdio = Array.from({ length: Math.max(told.length, 3) }, () => 'pipe')
    const child = spawn(file, rest, { cwd, env, stdio })
    child.stdout.resume()
    child.stderr.resume()
    for (const [fd, text] of told.entries()) if (text !== undefined) child.stdio[fd].end(text)
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${file} exited with ${code}`))))
  })
}
