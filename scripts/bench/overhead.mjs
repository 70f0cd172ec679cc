import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { composeChildEnvironment, getAdapter, startTurn } from '../../dist/index.js'
import { scenarios, startModelServer } from '../../dist/testing.js'
import { ensureRealClis, realClis } from '../real-clis.mjs'
import { alternate } from './timing.mjs'

const apis = { 'claude-code': 'anthropic', 'codex-cli': 'openai-responses', 'pi-cli': 'openai-chat' }
const rounds = 15

/** A whole turn against the bare CLI with the same arguments, environment, files and stdin. */
export async function overhead() {
  await ensureRealClis()
  const rows = []
  let ok = true
  for (const alias of ['claude-2.1', 'codex-0.171', 'pi-0.73']) {
    const cli = realClis.find((each) => each.alias === alias)
    const { bare, ours } = await measure(cli)
    const added = ours / bare - 1
    if (added > 0.03) ok = false
    rows.push([`${cli.adapter} ${cli.version}`, bare.toFixed(0), `${(added * 100).toFixed(1)} %`])
  }
  return {
    title: 'A whole turn',
    note: `What \`startTurn\` adds to the bare CLI on a one-answer turn: median of ${rounds}, alternated, after one warm-up each (the first turn of a process also starts the watchdog). The aim: at most 3 %.`,
    header: ['CLI', 'bare (ms)', 'added'],
    rows,
    ok,
  }
}

async function measure(cli) {
  const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'overhead-'))
  const server = await startModelServer({ scenario: scenarios.text })
  const endpoint = server.endpointFor(apis[cli.adapter])
  const environment = { ...process.env, HOME: folder }
  const turn = {
    adapter: cli.adapter,
    prompt: 'Go.',
    binary: [...cli.binary],
    endpoint,
    environment,
    cwd: folder,
    conversations: { directory: join(folder, 'conversations') },
  }
  try {
    const ours = async () => {
      const { status, error } = await startTurn(turn).completion
      if (status !== 'success') throw new Error(`${cli.alias}: ${error?.message}`)
    }
    const homes = []
    const prepare = async () => homes.push(await prepareBare(cli, endpoint, environment, folder))
    const bare = () => runBare(homes.pop(), folder)
    await ours()
    await prepare()
    await bare()
    for (let round = 0; round < rounds; round++) await prepare()
    const [bareTime, ourTime] = await alternate([bare, ours], rounds)
    return { bare: bareTime, ours: ourTime }
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A fresh home and all that a start takes: not timed. */
async function prepareBare(cli, endpoint, base, folder) {
  const adapter = getAdapter(cli.adapter)
  const home = await mkdtemp(join(folder, 'bare-'))
  const launch = adapter.structured.launch(
    {
      prompt: [{ type: 'text', text: 'Go.' }],
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
