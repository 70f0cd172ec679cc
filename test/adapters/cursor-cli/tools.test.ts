import { describe, expect, test } from 'vitest'
import type { ToolKind } from '../../../src/index.ts'
import { endOf, ok } from './tool-ends.ts'
import { completed, completionOf, eventsOf, init, started, textStory, toolStory } from './turn.ts'

/** All 69 tools of 2026.10.01, and two that only older builds have. */
const kinds: Record<ToolKind, string[]> = {
  read: [
    'read',
    'ls',
    'readLints',
    'readTodos',
    'listMcpResources',
    'readMcpResource',
    'getMcpTools',
    'blameByFilePath',
    'readCanvas',
    'getPrCodeTour',
    'readAgentTranscript',
    'getAgentStatus',
    'fetchCloudAgentData',
    'piRead',
    'piLs',
  ],
  edit: ['edit', 'write', 'applyAgentDiff', 'writeCanvas', 'updatePrCodeTour', 'piEdit', 'piWrite'],
  delete: ['delete'],
  move: [],
  search: ['glob', 'grep', 'semSearch', 'searchConversations', 'webSearch', 'piGrep', 'piFind'],
  execute: ['shell', 'writeShellStdin', 'setupVmEnvironment', 'computerUse', 'piBash'],
  think: [
    'updateTodos',
    'todo',
    'createPlan',
    'task',
    'reflect',
    'createGoal',
    'updateGoal',
    'createAgent',
    'startGrindPlanning',
    'startGrindExecution',
  ],
  fetch: ['webFetch', 'fetch'],
  switch_mode: ['switchMode'],
  other: [
    'askQuestion',
    'generateImage',
    'recordScreen',
    'truncated',
    'reportBugfixResults',
    'aiAttribution',
    'prManagement',
    'mcpAuth',
    'await',
    'reportBug',
    'setActiveBranch',
    'communicateUpdate',
    'sendFinalSummary',
    'replaceEnv',
    'editPrLabels',
    'recordCiInvestigationFindings',
    'sendMessage',
    'sendToUser',
    'connectScm',
    'adopt',
    'sendToAgent',
    'stopAgent',
    'aBrandNewOne',
  ],
}

describe('the name is the key that ends in ToolCall, and tells the kind', () => {
  test.each(Object.entries(kinds).flatMap(([kind, names]) => names.map((name) => [name, kind])))(
    '%s: %s',
    async (name, kind) => {
      const events = await eventsOf([init, started('c1', { [`${name}ToolCall`]: { args: {} } })])
      expect(events.find((event) => event.type === 'tool')).toMatchObject({ name, kind })
    },
  )
})

describe('the call', () => {
  const shell = { shellToolCall: { args: { command: 'ls' } } }
  const rejected = {
    shellToolCall: { result: { rejected: { command: 'ls', reason: '' }, isBackground: false } },
  }

  test('keeps the arguments of its start where its end leaves them out', async () => {
    const events = await eventsOf([init, started('c1', shell), completed('c1', rejected), ok])
    expect(toolStory(events)).toEqual(['start shell', 'input shell', 'end shell rejected'])
    expect(events.find((event) => event.type === 'tool' && event.phase === 'input')).toMatchObject({
      input: { command: 'ls' },
    })
  })

  test('that only ends gets a start and its input', async () => {
    const done = { shellToolCall: { args: { command: 'ls' }, result: { success: { stdout: '' } } } }
    const events = await eventsOf([init, completed('c1', done), ok])
    expect(toolStory(events)).toEqual(['start shell', 'input shell', 'end shell completed'])
  })

  test('that never ends is interrupted', async () => {
    const events = await eventsOf([init, started('c1', shell)], { exitCode: 143, signal: null })
    expect(toolStory(events)).toEqual(['start shell', 'input shell', 'end shell interrupted'])
  })

  test('of old builds has nothing but the tool in it', async () => {
    const old = { ...started('c1', {}), tool_call: { lsToolCall: { args: { path: '/w', ignore: [] } } } }
    expect((await eventsOf([init, old]))[1]).toMatchObject({
      name: 'ls',
      toolId: 'c1',
      locations: [{ path: '/w' }],
    })
  })

  test('runs beside others, and they end in any order', async () => {
    const events = await eventsOf([
      init,
      started('a', shell),
      started('b', shell),
      completed('b', rejected),
      completed('a', { shellToolCall: { result: { failure: { exitCode: 2, stderr: 'no' } } } }),
      ok,
    ])
    const ends = events.flatMap((event) => (event.type === 'tool' && event.phase === 'end' ? [event] : []))
    expect(ends.map((end) => [end.toolId, end.status])).toEqual([
      ['b', 'rejected'],
      ['a', 'failed'],
    ])
  })

  test('of MCP has its server, its own name and its own arguments', async () => {
    const args = {
      name: 'buoys-read_buoy',
      args: { buoy: 4 },
      providerIdentifier: 'provider',
      serverIdentifier: 'buoys',
      toolName: 'read_buoy',
    }
    const events = await eventsOf([init, started('c1', { mcpToolCall: { args } })])
    expect(events[2]).toMatchObject({ name: 'read_buoy', server: 'buoys', kind: 'other', input: { buoy: 4 } })
  })

  test('in the documented form for tools without a key', async () => {
    const custom = { function: { name: 'sound', arguments: '{"depth":7}' } }
    expect((await eventsOf([init, started('c1', custom)]))[2]).toMatchObject({
      name: 'sound',
      input: { depth: 7 },
    })
  })

  test.each([
    ['readToolCall', { path: '/w/a', offset: 12 }, [{ path: '/w/a', line: 12 }]],
    ['editToolCall', { path: '/w/a' }, [{ path: '/w/a' }]],
    ['globToolCall', { targetDirectory: '/w', globPattern: '*' }, [{ path: '/w' }]],
    ['shellToolCall', { command: 'ls' }, undefined],
  ])('%s says where: %j', async (key, args, locations) => {
    const event = (await eventsOf([init, started('c1', { [key]: { args } })]))[1]
    expect(event?.type === 'tool' && event.phase === 'start' && event.locations).toEqual(
      locations ?? undefined,
    )
  })
})

describe('a sub-agent', () => {
  const task = {
    taskToolCall: {
      args: { description: 'Count ropes' },
      result: {
        success: {
          conversationSteps: [
            { assistantMessage: { text: 'I look.' } },
            { toolCall: { anything: true } },
            { assistantMessage: { text: 'Twelve.' } },
          ],
        },
      },
    },
  }

  test('speaks for itself, before its call ends, and never as the answer', async () => {
    const events = await eventsOf([init, started('c1', task), completed('c1', task), ok])
    expect(textStory(events)).toEqual([
      'block I look.',
      'completed I look.',
      'block Twelve.',
      'completed Twelve.',
    ])
    for (const event of events) {
      if (event.type === 'delta' || event.type === 'message') expect(event.parentToolId).toBe('c1')
    }
    expect(completionOf(events).text).toBe('')
    expect(toolStory(events)).toEqual(['start task', 'input task', 'end task completed'])
  })

  test('the output of its call is the last that it said', async () => {
    expect(await endOf(task)).toEqual({ status: 'completed', output: 'Twelve.' })
  })
})

describe('the to-do list', () => {
  const todo = (id: string, content: string, status: string) => ({
    id,
    content,
    status: `TODO_STATUS_${status}`,
  })
  const update = (todos: object[], merge: boolean, whole?: object[]) => ({
    updateTodosToolCall: { args: { todos, merge }, result: { success: { ...(whole && { todos: whole }) } } },
  })
  const plans = async (...tools: object[]) => {
    const events = await eventsOf([init, ...tools.map((tool, index) => completed(`c${index}`, tool)), ok])
    return events.flatMap((event) => (event.type === 'plan' ? [event.entries] : []))
  }
  const wash = todo('1', 'Wash', 'IN_PROGRESS')
  const mend = todo('2', 'Mend', 'PENDING')

  test('is said whole each time, without what was cancelled', async () => {
    expect(
      await plans(
        update([wash, mend], false, [wash, mend]),
        update([todo('1', '', 'COMPLETED')], true),
        update([todo('2', 'Mend', 'CANCELLED')], true),
      ),
    ).toEqual([
      [
        { content: 'Wash', status: 'in_progress' },
        { content: 'Mend', status: 'pending' },
      ],
      [
        { content: 'Wash', status: 'completed' },
        { content: 'Mend', status: 'pending' },
      ],
      [{ content: 'Wash', status: 'completed' }],
    ])
  })

  test('an update that was refused changes nothing', async () => {
    expect(
      await plans({
        updateTodosToolCall: { args: { todos: [wash] }, result: { rejected: { reason: 'no' } } },
      }),
    ).toEqual([])
  })
})
