// Plays a fake CLI: see fake-cli.ts, which writes the script and the launcher that imports this. Plain JavaScript with nothing but
// Node's own modules, so that it runs from the sources and from the built package alike.
//
// Output is written synchronously and bit by bit: what was printed before an exit has really left, and a reader that stops
// reading stops this process, too.
import { spawn } from 'node:child_process'
import { appendFileSync, closeSync, existsSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { divide } from './fake-cli-chunks.js'

const pollMs = 10

export async function playFakeCli(directory, launcher) {
  const script = JSON.parse(readFileSync(join(directory, 'script.json'), 'utf8'))
  const fake = new FakeCliProcess(directory, launcher, script)
  const argv = process.argv.slice(2)
  if (argv[0] === '--fake-grandchild') return fake.beGrandchild(script.steps[Number(argv[1])].grandchild)
  if (argv.join(' ') === script.versionArguments.join(' ')) return process.stdout.write(`${script.version}\n`)
  await fake.beCli(argv)
}

class FakeCliProcess {
  stdin = { text: '', bytes: 0, lines: 0, ended: false }

  constructor(directory, launcher, script) {
    this.directory = directory
    this.launcher = launcher
    this.script = script
  }

  async beCli(argv) {
    this.trapSignals(this.script.ignoreSignals)
    this.log({ what: 'started', argv, cwd: process.cwd(), env: process.env })
    this.goWithDirectory()
    if (this.script.stdin === 'close') closeSync(0)
    if (this.script.stdin === 'read') this.readStdin()
    for (const [index, step] of this.script.steps.entries()) await this.perform(step, index, argv)
    this.exit(0)
  }

  async perform(step, index, argv) {
    if (step.print !== undefined) for (let n = 0; n < (step.times ?? 1); n++) await this.print(step)
    if (step.base64 !== undefined) await this.write(Buffer.from(step.base64, 'base64'), step.chunks)
    if (step.oversized !== undefined) this.printOversized(step.oversized)
    if (step.stderr !== undefined) writeAll(2, Buffer.from(step.stderr.repeat(step.times ?? 1)))
    if (step.tell !== undefined) await this.tell(step.tell, argv)
    if (step.say !== undefined) this.log({ what: 'said', name: step.say })
    if (step.waitFor !== undefined) await this.waitFor(step.waitFor)
    if (step.waitMs !== undefined) await wait(step.waitMs)
    if (step.closeStdout) closeSync(1)
    if (step.grandchild) await this.startGrandchild(step.grandchild, index)
    if (step.linger) await new Promise(() => {})
    if (step.kill !== undefined) await this.killMyself(step.kill)
    if (step.exit !== undefined) this.exit(step.exit)
  }

  async print(step) {
    const lines = Array.isArray(step.print) ? step.print : [step.print]
    const newline = step.newline ?? this.script.newline
    let text = lines.map(toLine).join(newline)
    if (step.lastNewline !== false) text += newline
    const bytes = Buffer.from(text)
    await this.write(bytes.subarray(0, step.keepBytes ?? bytes.length), step.chunks ?? this.script.chunks)
  }

  async write(bytes, chunks) {
    const pieces = divide(bytes, chunks)
    for (const [position, piece] of pieces.entries()) {
      if (position > 0) await wait(this.script.paceMs)
      writeAll(1, piece)
    }
  }

  /** Made here, piece by piece: nobody has to keep 64 MB in a script. */
  printOversized({ bytes, before, after }) {
    writeAll(1, Buffer.from(before))
    const piece = Buffer.alloc(Math.min(bytes, 65_536), 'x')
    for (let left = bytes; left > 0; left -= piece.length) writeAll(1, piece.subarray(0, left))
    writeAll(1, Buffer.from(`${after}${this.script.newline}`))
  }

  async tell(fields, argv) {
    const all = { pid: process.pid, argv, cwd: process.cwd(), env: process.env, stdin: this.stdin.text }
    const told = Object.fromEntries(fields.map((field) => [field, all[field]]))
    await this.print({ print: { type: 'fake_cli', ...told } })
  }

  readStdin() {
    process.stdin.on('error', () => {})
    const chunks = []
    process.stdin.on('data', (chunk) => {
      chunks.push(chunk)
      this.stdin.bytes += chunk.length
      for (const byte of chunk) if (byte === 10) this.stdin.lines++
    })
    process.stdin.on('end', () => {
      this.stdin.text = Buffer.concat(chunks).toString('utf8')
      this.stdin.ended = true
      this.log({ what: 'stdin', text: this.stdin.text, bytes: this.stdin.bytes })
    })
  }

  async waitFor(what) {
    const isThere = {
      'stdin-end': () => this.stdin.ended,
      'stdin-line': () => this.stdin.lines > 0,
    }[what]
    const go = join(this.directory, `go-${what}`)
    while (!(isThere ? isThere() : existsSync(go))) await wait(pollMs)
    if (what === 'stdin-line') this.stdin.lines--
  }

  /** Returns when the grandchild is up: it says so in the log. */
  async startGrandchild(grandchild, index) {
    const child = spawn(process.execPath, [this.launcher, '--fake-grandchild', String(index)], {
      stdio: ['ignore', grandchild.holdsStdout ? 'inherit' : 'ignore', 'ignore'],
      detached: grandchild.ownSession,
      env: grandchild.bareEnvironment ? {} : process.env,
    })
    child.unref()
    const up = `"what":"grandchild","pid":${child.pid},`
    while (!readFileSync(join(this.directory, 'log.jsonl'), 'utf8').includes(up)) await wait(pollMs)
  }

  async beGrandchild({ ignoreSignals, lateLine, lateAfter }) {
    this.trapSignals(ignoreSignals)
    const parent = process.ppid
    this.log({ what: 'grandchild', pid: process.pid, parent, env: process.env })
    this.goWithDirectory()
    if (lateLine !== undefined) {
      if (lateAfter === 'parent-gone') while (process.ppid === parent) await wait(pollMs)
      else await this.waitFor(lateAfter)
      await this.print({ print: lateLine })
    }
    await new Promise(() => {})
  }

  trapSignals(names) {
    for (const name of names) process.on(name, () => this.log({ what: 'signal', name, pid: process.pid }))
  }

  /** So that a test which failed leaves nothing behind: whoever removes the folder ends all who live by it. */
  goWithDirectory() {
    setInterval(() => {
      if (!existsSync(this.directory)) process.exit(0)
    }, 100)
  }

  async killMyself(signal) {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
    await new Promise(() => {})
  }

  exit(code) {
    process.exit(code)
  }

  log(entry) {
    try {
      appendFileSync(join(this.directory, 'log.jsonl'), `${JSON.stringify(entry)}\n`)
    } catch {
      process.exit(0) // the folder is gone, and so is whoever would read it
    }
  }
}

/** An object becomes JSON, with U+2028 raw as codex and pi print it; a string is printed as it is. */
function toLine(line) {
  return typeof line === 'string' ? line : JSON.stringify(line)
}

function writeAll(descriptor, bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      if (error.code === 'EPIPE') process.exit(141) // as a shell calls a death by SIGPIPE
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}
