import { describe, expect, test } from 'vitest'
import type { WireEvent } from '../../src/protocol/events.ts'
import { createRedactor } from '../../src/protocol/redact.ts'
import { secrets } from './secret-events.ts'

describe('every string of every event', () => {
  const key = 'sk-live-123456'
  const hidden = '[redacted:SECRET_KEY]'
  const rows: [string, WireEvent, WireEvent][] = [
    [
      'session',
      {
        type: 'session',
        sessionId: 's',
        transport: 'structured',
        origin: 'new',
        cwd: `/tmp/${key}`,
        tools: [key],
      },
      {
        type: 'session',
        sessionId: 's',
        transport: 'structured',
        origin: 'new',
        cwd: `/tmp/${hidden}`,
        tools: [hidden],
      },
    ],
    [
      'plan',
      { type: 'plan', entries: [{ content: key, status: 'pending' }] },
      { type: 'plan', entries: [{ content: hidden, status: 'pending' }] },
    ],
    [
      'tool input, keys included',
      {
        type: 'tool',
        toolId: 't',
        name: 'x',
        kind: 'other',
        phase: 'input',
        input: { [key]: [{ type: key }] },
      },
      {
        type: 'tool',
        toolId: 't',
        name: 'x',
        kind: 'other',
        phase: 'input',
        input: { [hidden]: [{ type: hidden }] },
      },
    ],
    [
      'tool end',
      {
        type: 'tool',
        toolId: 't',
        name: 'x',
        kind: 'other',
        phase: 'end',
        status: 'completed',
        output: key,
        content: [{ type: 'text', text: key }],
        locations: [{ path: key }],
      },
      {
        type: 'tool',
        toolId: 't',
        name: 'x',
        kind: 'other',
        phase: 'end',
        status: 'completed',
        output: hidden,
        content: [{ type: 'text', text: hidden }],
        locations: [{ path: hidden }],
      },
    ],
    [
      'notice',
      { type: 'notice', level: 'info', code: 'x', message: key, details: { deep: [[key]] } },
      { type: 'notice', level: 'info', code: 'x', message: hidden, details: { deep: [[hidden]] } },
    ],
    [
      'interaction',
      {
        type: 'interaction',
        interactionId: 'i',
        phase: 'request',
        kind: 'form',
        title: key,
        schema: { title: key },
      },
      {
        type: 'interaction',
        interactionId: 'i',
        phase: 'request',
        kind: 'form',
        title: hidden,
        schema: { title: hidden },
      },
    ],
    [
      'completion, good',
      {
        type: 'completion',
        status: 'success',
        text: key,
        structuredOutput: { key },
        evidence: { by: 'record', detail: key },
      },
      {
        type: 'completion',
        status: 'success',
        text: hidden,
        structuredOutput: { key: hidden },
        evidence: { by: 'record', detail: hidden },
      },
    ],
    [
      'completion',
      {
        type: 'completion',
        status: 'error',
        text: key,
        error: { code: 'auth', message: `bad ${key}`, retryable: false, hint: key },
        evidence: { by: 'record', detail: key },
      },
      {
        type: 'completion',
        status: 'error',
        text: hidden,
        error: { code: 'auth', message: `bad ${hidden}`, retryable: false, hint: hidden },
        evidence: { by: 'record', detail: hidden },
      },
    ],
  ]
  test.each(rows)('%s', (_title, event, said) => {
    expect(createRedactor(secrets).receive(event)).toEqual([said])
  })
})
