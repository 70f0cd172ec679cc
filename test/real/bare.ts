import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Endpoint } from '../../src/index.ts'
import type { RealCli } from './clis.ts'

/**
 * Runs a CLI without this package, as a user does who trusts the project: with HOME and all that lies in it.
 *
 * @returns what it said on stderr
 */
export async function runBare(
  cli: RealCli,
  places: { home: string; root: string; cwd: string },
  endpoint: Endpoint,
  prompt: string,
): Promise<string> {
  const { words, environment } = await bareLaunches[cli.adapter](places, endpoint, cli)
  const [command, ...first] = cli.binary
  const child = spawn(command, [...first, ...words], {
    cwd: places.cwd,
    env: { PATH: process.env.PATH, HOME: places.home, ...environment },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  child.stdin.end(prompt)
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  await once(child, 'close')
  return said
}

type BareLaunch = (
  places: { home: string; root: string; cwd: string },
  endpoint: Endpoint,
  cli: RealCli,
) => Promise<{ words: string[]; environment: Record<string, string> }>

const bareLaunches: Record<RealCli['adapter'], BareLaunch> = {
  'claude-code': async (_places, { url }) => ({
    words: ['-p', '--permission-mode', 'bypassPermissions'],
    environment: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'loopback',
      IS_SANDBOX: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  }),
  'codex-cli': async ({ home, root, cwd }, { url }, { version }) => {
    const file = join(home, '.codex/config.toml')
    const provider = `\n[model_providers.bench]\nname = "bench"\nbase_url = "${url}"\nwire_api = "responses"\nenv_key = "BENCH_KEY"\n`
    const trust = [root, cwd].map((folder) => `\n[projects."${folder}"]\ntrust_level = "trusted"\n`)
    await writeFile(file, `model_provider = "bench"\n${await readFile(file, 'utf8')}`)
    await appendFile(file, [provider, ...trust].join(''))
    const bypass = version === '0.171.0' ? ['--dangerously-bypass-hook-trust'] : []
    return {
      words: ['exec', '--skip-git-repo-check', ...bypass, '-'],
      environment: { BENCH_KEY: 'loopback' },
    }
  },
  'pi-cli': async ({ home }, { url }, { version }) => {
    const model = { id: 'bench-model', input: ['text'] }
    const provider = { baseUrl: url, api: 'openai-completions', apiKey: 'loopback', models: [model] }
    await mkdir(join(home, '.pi/agent'), { recursive: true })
    await writeFile(join(home, '.pi/agent/models.json'), JSON.stringify({ providers: { bench: provider } }))
    const hasTrust = version !== '0.63.2' && version !== '0.73.1'
    return {
      words: [
        ...['--print', '--provider', 'bench', '--model', 'bench-model'],
        ...(hasTrust ? ['--approve'] : []),
      ],
      environment: { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' },
    }
  },
}
