import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import {
  belonging,
  type ProcessRow,
  parsePs,
  readProcessTable,
  startTimeOf,
} from '../../src/run/process-table.js'

const child = { pid: 100, startTime: 50, known: new Set<string>() }

function row(pid: number, parent: number, others: Partial<ProcessRow> = {}): ProcessRow {
  return { pid, parent, group: pid, session: pid, startTime: 60, ...others }
}

function members(rows: ProcessRow[], ancestor = child, marked: number[] = []): number[] {
  return belonging(rows, ancestor, (pid) => marked.includes(pid)).map((each) => each.pid)
}

test('the child, its group, its session and its descendants belong to a turn', () => {
  const rows = [
    row(300, 200),
    row(200, 100),
    row(100, 1, { startTime: 50 }),
    row(400, 1, { group: 100 }),
    row(500, 1, { session: 100 }),
    row(600, 1),
  ]
  expect(members(rows).sort()).toEqual([100, 200, 300, 400, 500])
})

test('so does what carries the mark, and what descends from it', () => {
  expect(members([row(700, 1), row(701, 700), row(702, 1)], child, [700])).toEqual([700, 701])
})

test('who was known before is known by pid and start time', () => {
  const ancestor = { ...child, known: new Set(['700@60', '701@59']) }
  expect(members([row(700, 1), row(701, 1)], ancestor)).toEqual([700])
})

test('what is older than the child is not of it, whatever it looks like', () => {
  expect(members([row(90, 100, { startTime: 49, group: 100 })], child, [90])).toEqual([])
})

test('another process with the pid of the child makes its group and session strangers', () => {
  expect(members([row(100, 1, { startTime: 70 }), row(101, 100, { group: 100, startTime: 71 })])).toEqual([])
})

test('this process never belongs to its own turns', () => {
  expect(members([row(process.pid, 100)])).toEqual([])
})

test('the output of ps on macOS is read', () => {
  const output = [
    '    1     0     1 Ss   Sun Nov 29 10:00:00 2026    ',
    '  501     1   501 S+   Mon Nov 30 09:15:02 2026',
    '  502   501   501 Z    Mon Nov 30 09:15:03 2026',
    '',
  ].join('\n')
  expect(parsePs(output)).toEqual([
    { pid: 1, parent: 0, group: 1, session: 0, startTime: Date.parse('Sun Nov 29 10:00:00 2026') },
    { pid: 501, parent: 1, group: 501, session: 0, startTime: Date.parse('Mon Nov 30 09:15:02 2026') },
  ])
})

/** Writing it has the next process get the pid after it; it needs rights that not every container gives. */
const lastPid = '/proc/sys/kernel/ns_last_pid'

describe.runIf(process.platform === 'linux')('the table of processes', () => {
  const running: ChildProcess[] = []
  afterEach(async () => {
    for (const child of running.splice(0)) await end(child)
  })

  function begin(): number {
    const child = spawn('sleep', ['1000'])
    running.push(child)
    return child.pid ?? 0
  }

  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  function isListed(pid: number, since: number): boolean {
    return readProcessTable(since).some((row) => row.pid === pid)
  }

  test('holds what was started at that time or later, however often it is read', () => {
    const pid = begin()
    const since = startTimeOf(pid)
    const listed = () => [pid, process.pid].map((each) => isListed(each, since))
    expect([listed(), listed()]).toEqual([
      [true, false],
      [true, false],
    ])
    expect(isListed(process.pid, startTimeOf(process.pid))).toBe(true)
    const later = begin()
    expect(isListed(later, since)).toBe(true)
  })

  test.runIf(canWrite(lastPid))('holds a young process that has the pid of an old one', async () => {
    const old = begin()
    // In ticks of 10 ms: the next one is to be younger.
    while (startTimeOf(old) === startTimeOf(begin())) await new Promise(setImmediate)
    const since = startTimeOf(running.at(-1)?.pid ?? 0)
    expect(isListed(old, since)).toBe(false)
    const [elder] = running
    if (elder) await end(elder)
    // Another process of this machine may be faster.
    for (let young = 0; young !== old; ) {
      writeFileSync(lastPid, `${old - 1}`)
      young = begin()
    }
    expect(isListed(old, since)).toBe(true)
  })
})

function canWrite(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    return true
  } catch {
    return false
  }
}
