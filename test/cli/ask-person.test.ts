import { expect, it } from 'vitest'
import { askPerson } from '../../src/cli/ask-person.ts'
import { Output } from '../../src/cli/output.ts'
import type { Decision } from '../../src/index.ts'
import type { InteractionPayload } from '../../src/protocol/events.ts'

const { style } = new Output(process.stdout, { NO_COLOR: '1' })

async function asked(request: Partial<InteractionPayload>, typed: readonly string[], input?: unknown) {
  const said: string[] = []
  const labels: string[] = []
  const left = [...typed]
  const whole: InteractionPayload = {
    type: 'interaction',
    interactionId: 'i',
    phase: 'request',
    kind: 'approval',
    title: 'May I?',
    ...request,
  }
  const decision = await askPerson(
    whole,
    {
      style,
      say: async (line) => void said.push(line),
      read: async (label, isSecret) => {
        labels.push(isSecret ? `${label}(secret)` : label)
        return left.shift()
      },
    },
    input,
  )
  return { decision, said, labels }
}

const options: InteractionPayload['options'] = [
  { optionId: 'once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Allow git', kind: 'allow_always' },
  { optionId: 'no', name: 'Deny', kind: 'reject_once' },
  { optionId: 'never', name: 'Never', kind: 'reject_always' },
]

it('an approval is asked with its options by number, each with what it means', async () => {
  const { said, labels } = await asked({ title: 'Bash:\u001b[2J rm -r x', options }, ['1'])
  expect(said).toEqual([
    '? Bash:\ufffd[2J rm -r x',
    '  1  Allow      this once',
    '  2  Allow git  from now on, unasked',
    '  3  Deny       not this time',
    '  4  Never      neither now nor later',
    '  5  Stop       not this time, and the turn ends here',
    '  Any other text denies it, with that as the reason.',
  ])
  expect(labels).toEqual(['1-5 › '])
})

it.each<[string[], Decision | undefined]>([
  [['1'], { decision: 'allow', optionId: 'once' }],
  [[' 2 '], { decision: 'allow', optionId: 'always' }],
  [['allow GIT'], { decision: 'allow', optionId: 'always' }],
  [['3'], { decision: 'deny', optionId: 'no' }],
  [['4'], { decision: 'deny', optionId: 'never' }],
  [['5'], 'cancel'],
  [['stop'], 'cancel'],
  [['y'], { decision: 'allow', optionId: 'once' }],
  [['N'], { decision: 'deny', optionId: 'no' }],
  [['use the other branch'], { decision: 'deny', message: 'use the other branch' }],
  [['', '9', 'x', '1'], { decision: 'allow', optionId: 'once' }],
  [[], undefined],
])('an approval answered with %j is %j', async (typed, decision) => {
  expect((await asked({ options }, typed)).decision).toEqual(decision)
})

it('a plan is shown whole, and can be kept at', async () => {
  const plan = { kind: 'plan', title: 'Carry out the plan?', toolId: 't' } as const
  const { said, decision } = await asked(plan, ['n'], { plan: '# The plan\n\n1. Row\u001b[2J', steps: 1 })
  expect(said.slice(0, 2)).toEqual(['# The plan\n\n1. Row\ufffd[2J', '? Carry out the plan?'])
  expect(decision).toEqual({ decision: 'deny', optionId: 'deny' })
})

it('an approval without options can be allowed and denied all the same', async () => {
  const { said, decision } = await asked({ kind: 'form', title: 'Visit https://example.org' }, ['2'])
  expect(said[2]).toBe('  2  Deny   not this time')
  expect(decision).toEqual({ decision: 'deny', optionId: 'deny' })
})

const property = (fields: object, required = ['a']) => ({
  kind: 'question' as const,
  schema: { type: 'object', properties: { a: fields }, required },
})
const ports = [
  { const: 'Bergen', title: 'Bergen', description: 'north' },
  { const: 'Kiel', title: 'Kiel' },
]

it.each<[string, Partial<InteractionPayload>, string[], Decision | undefined]>([
  ['a choice by number', property({ type: 'string', oneOf: ports }), ['2'], answer('Kiel')],
  ['a choice by name', property({ type: 'string', oneOf: ports }), ['bergen'], answer('Bergen')],
  [
    'an answer of one’s own',
    property({ type: 'string', oneOf: ports }),
    ['Oslo, or 2'],
    answer('Oslo, or 2'),
  ],
  ['a closed choice, once missed', property({ type: 'string', enum: ['x', 'y'] }), ['z', '1'], answer('x')],
  [
    'several choices',
    property({ type: 'array', items: { type: 'string', anyOf: ports } }),
    ['1, 2'],
    answer(['Bergen', 'Kiel']),
  ],
  [
    'several closed choices, with spaces',
    property({ type: 'array', items: { type: 'string', enum: ['x', 'y'] } }),
    ['y x'],
    answer(['y', 'x']),
  ],
  ['a truth', property({ type: 'boolean' }), ['maybe', 'no'], answer('false')],
  ['a number that is no choice', property({ type: 'integer' }), ['0'], answer('0')],
  ['nothing, for what is filled in', property({ type: 'string', default: 'calm' }), [''], answer('calm')],
  ['nothing, where it must be something', property({ type: 'string' }), ['', 'x'], answer('x')],
  ['nothing, where it may be', property({ type: 'string' }, []), [''], { decision: 'allow', answers: {} }],
  ['no answer', property({ type: 'string', oneOf: ports }), ['-'], 'deny'],
  ['none any more', property({ type: 'string' }), [], undefined],
])('a question takes %s', async (_title, request, typed, decision) => {
  expect((await asked(request, typed)).decision).toEqual(decision)
})

it('a form asks for one field after the other, and shows no secret', async () => {
  const schema = {
    type: 'object',
    properties: {
      port: { type: 'string', title: 'Port', description: 'Which port?', oneOf: ports },
      code: { type: 'string', title: 'Harbour code', writeOnly: true },
    },
    required: ['port'],
  }
  const { said, labels, decision } = await asked({ kind: 'form', title: 'Moor here', schema }, ['1', 'hush'])
  expect(said).toEqual([
    '? Moor here',
    '  Which port?',
    '  1  Bergen  north',
    '  2  Kiel',
    '  A number, or an answer of your own; - declines the form.',
    '  Harbour code',
    '  Your answer, or nothing to leave it out; - declines the form.',
  ])
  expect(labels).toEqual(['answer › ', 'answer › (secret)'])
  expect(decision).toEqual({ decision: 'allow', answers: { port: 'Bergen', code: 'hush' } })
})

function answer(a: string | string[]): Decision {
  return { decision: 'allow', answers: { a } }
}
