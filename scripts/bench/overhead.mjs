import { ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { composeChildEnvironment, getAdapter, startTurn } from '../../dist/index.js'
import { ensureRealClis, realClis } from '../real-clis.mjs'
import { median, medianInterval, verdict } from './timing.mjs'

const apis = { 'claude-code': 'anthropic', 'codex-cli': 'openai-responses', 'pi-cli': 'openai-chat' }
const aim = 0.03
const rounds = { least: 10, most: 40, mostMs: 3 * 60_000 }
const prompt = 'Go.'

/** A whole turn against the bare CLI with the same arguments, environment, files and stdin. */
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
      'What `startTurn` adds to the bare CLI (same arguments, environment, files and stdin, a fresh home, stdout read to its end) on a turn with two tool calls.',
      'The order changes from round to round; the model server is a process of its own; one warm-up each (the first turn of a process also starts the watchdog).',
      '"Own work" is all that `startTurn` does while the CLI is not running: before it starts and after it has ended.',
      '"Added" is the median of the differences with its 95 % interval, "control" the same of the bare CLI against itself: what is inside of it is noise.',
      `Rounds are added until the interval is on one side of the aim, at most ${rounds.most} or three minutes; the aim: at most ${percent(aim)}.`,
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
    prompt,
    binary: [...cli.binary],
    endpoint,
    environment,
    cwd: folder,
    // As the bare CLI's home has none: codex reads what is kept of earlier rounds.
    conversations: 'discard',
  }
  const life = watchLife(cli.binary.at(-1))
  try {
    const ours = async () => {
      const { status, error } = await startTurn(turn).completion
      if (status !== 'success') throw new Error(`${cli.alias}: ${error?.message}`)
    }
    const bare = async () => {
      const command = await prepareBare(cli, endpoint, environment, folder)
      return () => runBare(command, folder)
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
        if (kind === 'ours') times.own.push(end - start - life.last())
      }
    }
    await round(['bare', 'ours'])
    for (const kind of Object.keys(times)) times[kind].length = 0
    const against = (kind) => medianInterval(times[kind].map((time, index) => time / times.bare[index] - 1))
    const until = performance.now() + rounds.mostMs
    for (let count = 1; ; count++) {
      await round(orders[count % orders.length])
      const added = against('ours')
      const decided = verdict(added, (share) => share <= aim) !== 'not decided'
      const isLast = count >= rounds.most || performance.now() > until
      if (!isLast && (count < rounds.least || !decided)) continue
      return { bare: median(times.bare), own: median(times.own), added, control: against('control'), count }
    }
  } finally {
    life.release()
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

/** How long the latest process that runs this file has lived, from just before its start to when its end was heard of. */
function watchLife(file) {
  const { spawn: original } = ChildProcess.prototype
  let last = Number.NaN
  ChildProcess.prototype.spawn = function (options) {
    if (options.args?.includes(file) || options.file === file) {
      const start = performance.now()
      this.once('exit', () => {
        last = performance.now() - start
      })
    }
    return original.call(this, options)
  }
  return {
    last: () => last,
    release: () => {
      ChildProcess.prototype.spawn = original
    },
  }
}

/** A fresh home and all that a start takes: not timed. */
async function prepareBare(cli, endpoint, base, folder) {
  const adapter = getAdapter(cli.adapter)
  const home = await mkdtemp(join(folder, 'bare-'))
  const launch = adapter.structured.launch(
    {
      prompt: [{ type: 'text', text: prompt }],
      promptExpansion: false,
      cwd: folder,
      systemPrompt: {},
      fork: false,
      approvals: 'deny',
      backgroundTasks: 'forbid',
      home: 'private',
      projectInstructions: true,
      endpoint,
      configuration: {},
      arguments: [],
    },
    {
      version: cli.version,
      home,
      directory: home,
      realCwd: realpathSync(folder),
      platform: process.platform,
      isRoot: process.getuid?.() === 0,
    },
  )
  for (const { path, content } of launch.files) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), content)
  }
  const set = { [adapter.home.variable]: home, ...launch.environment }
  const { environment } = composeChildEnvironment({
    environment: base,
    credentials: 'none',
    hasEndpoint: true,
    set,
  })
  return { command: [...cli.binary, ...launch.arguments], environment, stdin: launch.stdin }
}

function runBare({ command: [file, ...rest], environment, stdin }, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, rest, { cwd, env: environment, stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdout.resume()
    child.stderr.resume()
    child.stdin.end(stdin)
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${file} exited with ${code}`))))
  })
}
