import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { reportLines } from '../../src/run/stderr-lines.ts'
import { StderrTail, withoutEscapes } from '../../src/run/stderr-tail.ts'

test('the tail is decoded across chunks', () => {
  const tail = new StderrTail()
  for (const byte of Buffer.from('Fehler: 日本 🧭')) tail.push(Buffer.of(byte))
  expect(tail.text()).toBe('Fehler: 日本 🧭')
})

test('the tail holds the last 64 KiB, and no half of a character', () => {
  const tail = new StderrTail()
  tail.push(Buffer.from('中'.repeat(30_000)))
  tail.push(Buffer.from('x'))
  expect(tail.text()).toBe(`${'中'.repeat(21_845)}x`)
})

test('the tail stays small, however much comes', () => {
  const tail = new StderrTail()
  const before = process.memoryUsage().arrayBuffers
  for (let time = 0; time < 1_000; time++) tail.push(Buffer.alloc(64 * 1024, 'y'))
  expect(tail.text()).toHaveLength(65_536)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(80 * 1024 * 1024)
})

test.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]8;;http://a\u0007link\u001b]8;;\u0007', 'link'],
  ['\u001b[2K\u001b[1Gdone', 'done'],
  ['plain [31m', 'plain [31m'],
])('%j without escapes is %j', (text, plain) => {
  expect(withoutEscapes(text)).toBe(plain)
})

test('lines are reported whole, blank ones and those past the bound left out', async () => {
  const stream = new PassThrough()
  const lines: string[] = []
  reportLines(stream, (line) => lines.push(line))
  const bytes = Buffer.from('één\n\n\u001b[1mtwo\u001b[0m\r\n')
  stream.write(bytes.subarray(0, 1))
  stream.write(bytes.subarray(1, 2))
  stream.write(bytes.subarray(2))
  for (let chunk = 0; chunk < 3; chunk++) stream.write('z'.repeat(50_000))
  stream.write('\n')
  stream.end('last')
  await finished(stream)
  await turn()
  expect(lines).toEqual(['één', 'two', 'last'])
})
