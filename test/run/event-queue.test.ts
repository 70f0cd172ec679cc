import { expect, test } from 'vitest'
import type { AgentEvent } from '../../src/index.ts'
import { EventQueue } from '../../src/run/event-queue.ts'

let left = 0
function queue(): EventQueue {
  left = 0
  return new EventQueue(async () => {
    left++
  })
}

function event(seq: number, text = 'x'): AgentEvent {
  return { type: 'delta', messageId: 'm', text, contentDelta: true, seq, at: 0, adapter: 'probe' }
}

test('an iterator that comes late finds what came before it, up to 10,000 events', async () => {
  const events = queue()
  for (let seq = 0; seq < 10_000; seq++) events.push(event(seq))
  events.close()
  const seen: number[] = []
  for await (const each of events.iterate()) seen.push(each.seq)
  expect(seen).toHaveLength(10_000)
  expect(seen.at(-1)).toBe(9_999)
})

test('an iterator that comes after 10,001 events throws', () => {
  const events = queue()
  for (let seq = 0; seq < 10_001; seq++) events.push(event(seq))
  expect(() => events.iterate()).toThrow('The events of this turn are gone')
})

test('an iterator that comes after 16 MiB of events throws', () => {
  const events = queue()
  for (let seq = 0; seq < 15; seq++) events.push(event(seq, 'x'.repeat(1024 * 1024)))
  expect(() => events.iterate()).not.toThrow()
  const more = queue()
  for (let seq = 0; seq < 17; seq++) more.push(event(seq, 'x'.repeat(1024 * 1024)))
  expect(() => more.iterate()).toThrow('The events of this turn are gone')
})

test('without an iterator the queue is never full', () => {
  const events = queue()
  for (let seq = 0; seq < 5_000; seq++) events.push(event(seq))
  expect(events.full).toBe(false)
})

test('a second iterator throws', () => {
  const events = queue()
  events.iterate()
  expect(() => events.iterate()).toThrow('are being iterated already')
})

test('with a slow iterator the queue is full at 1,000 events or 4 MiB, and has room again at half of it', async () => {
  const events = queue()
  let drained = 0
  events.onDrained(() => drained++)
  const iterator = events.iterate()
  for (let seq = 0; seq < 999; seq++) events.push(event(seq))
  expect(events.full).toBe(false)
  events.push(event(999))
  expect(events.full).toBe(true)
  for (let taken = 0; taken < 500; taken++) await iterator.next()
  expect(drained).toBe(0)
  await iterator.next()
  expect(drained).toBe(1)
  events.push(event(1_000, 'x'.repeat(4 * 1024 * 1024)))
  expect(events.full).toBe(true)
})

test('a lifted queue is never full again and drops nothing', async () => {
  const events = queue()
  let drained = 0
  events.onDrained(() => drained++)
  const iterator = events.iterate()
  events.lift()
  expect(drained).toBe(1)
  for (let seq = 0; seq < 50_000; seq++) events.push(event(seq))
  expect(events.full).toBe(false)
  events.close()
  let inOrder = 0
  for await (const each of iterator) if (each.seq === inOrder) inOrder++
  expect(inOrder).toBe(50_000)
})

test('several calls of next() are served in order, and end when the queue does', async () => {
  const events = queue()
  const iterator = events.iterate()
  const results = [iterator.next(), iterator.next(), iterator.next()]
  events.push(event(0))
  events.push(event(1))
  events.close()
  expect((await Promise.all(results)).map((result) => result.value?.seq)).toEqual([0, 1, undefined])
})

test('leaving the loop stops the turn and lets go of the events', async () => {
  const events = queue()
  events.push(event(0))
  events.push(event(1))
  for await (const each of events.iterate()) if (each.seq === 0) break
  expect(left).toBe(1)
  events.push(event(2))
  expect(() => events.iterate()).toThrow('The events of this turn are gone')
})
