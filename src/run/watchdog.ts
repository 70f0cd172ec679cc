import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** One line to the watchdog. */
type Message =
  | { begin: string; pid: number; startTime: number; firstSignal: string }
  /** Nothing of that turn is left. */
  | { end: string }

let watchdog: ChildProcess | undefined

/**
 * Has a process of its own end this turn's processes when this one dies, however it dies. Returns what to call when nothing
 * of the turn is left.
 */
export function guardAgainstHostDeath(
  turnId: string,
  child: { pid: number; startTime: number },
  firstSignal: string,
): () => void {
  tell({ begin: turnId, ...child, firstSignal })
  return () => tell({ end: turnId })
}

function tell(message: Message): void {
  watchdog ??= startWatchdog()
  watchdog.stdin?.write(`${JSON.stringify(message)}\n`)
}

function startWatchdog(): ChildProcess {
  const file = fileURLToPath(new URL('./watchdog-process.js', import.meta.url))
  const child = spawn(process.execPath, [file], {
    // A session of its own: what ends the host's group must not end it first.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    // Electron's own binary is a Node only with this.
    env: { ELECTRON_RUN_AS_NODE: '1' },
  })
  const forget = () => {
    if (watchdog === child) watchdog = undefined
  }
  child.on('error', forget)
  child.on('exit', forget)
  child.unref()
  // Without an open file left, there is no stream.
  if (child.pid === undefined) return child
  child.stdin.on('error', forget)
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
  return child
}
