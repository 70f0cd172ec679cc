import type { Reply, Scenario } from './scenario.ts'

/** The last text of `toolTurn`: a markdown table, accents, CJK, an emoji of several code points, and a raw U+2028. */
export const toolTurnAnswer = [
  'Both commands ran. Here is what they said:',
  '',
  '| step | command | said |',
  '|---|---|---|',
  '| 1 | `echo` | hello from the shell |',
  '| 2 | `printf` | caf\u00e9 \u{1f6a3} |',
  '',
  'Na\u00efve fa\u00e7ade, \u65e5\u672c\u8a9e, \u{1f469}\u200d\u{1f4bb} and a line\u2028separator: all intact.',
].join('\n')

const shell = (command: string) => ({ name: 'shell', input: { command } })

const toolTurn: readonly Reply[] = [
  {
    thinking: 'The user wants two commands. I run the first one and look at what it says before the second.',
    text: 'I will start with a greeting.',
    toolCalls: [shell('echo hello from the shell')],
  },
  {
    thinking: 'That worked. Now the second one.',
    text: 'Now one with an accent and a boat.',
    toolCalls: [shell("printf 'caf\\303\\251 \\360\\237\\232\\243\\n'")],
  },
  { thinking: 'Both are done, so I sum up.', text: toolTurnAnswer },
]

const shortAnswer = 'The tide turns at six, and the boat leaves with it.'
/** Paced, so that the CLI has read what was sent when the connection goes. */
const cut: Reply = {
  text: 'This answer begins well, promises a lot, and is then cut off before it can say what it meant to say.',
  cutAfter: 5,
  paceMs: 20,
}

/** Everything that the recordings, the demo and the tests play. */
export const scenarios = {
  toolTurn,
  text: [{ text: shortAnswer }],
  parallelTools: [
    {
      text: 'Three at once.',
      toolCalls: [shell('echo port'), shell('echo starboard'), shell('echo bow')],
    },
    { text: 'All three answered: port, starboard and bow.' },
  ],
  severalSteps: [
    { text: 'First I look around.', toolCalls: [shell('echo one')] },
    { text: 'Then I try something that fails.', toolCalls: [shell('echo two >&2; exit 3')] },
    { toolCalls: [shell('echo three')] },
    { text: 'Last I count.', toolCalls: [shell('echo four')] },
    { text: 'Four steps done; the second one failed, as expected.' },
  ],
  unauthorized: [{ status: 401 }],
  rateLimited: [{ status: 429, retryAfter: 1 }],
  serverError: [{ status: 500 }],
  overloadedOnce: [{ attempts: [{ status: 529 }, { text: shortAnswer }] }],
  connectionCut: [
    { ...cut, unstreamed: { text: 'Asked again in one piece, the model says something else.' } },
  ],
  connectionCutOnce: [{ attempts: [cut, { text: shortAnswer }] }],
  emptyAnswer: [{}],
  maxTokens: [{ text: 'There was once a captain who never got to the end of his', stop: 'max_tokens' }],
  refusal: [{ text: 'I cannot help with that.', stop: 'refusal' }],
  bigToolOutput: [
    {
      toolCalls: [
        shell(
          'awk \'BEGIN { for (row = 1; row <= 50000; row++) printf "%06d the same words on every line, on and on and on\\n", row }\'',
        ),
      ],
    },
    { text: 'That was a lot of lines.' },
  ],
  nonAscii: [
    {
      thinking: 'Gr\u00fc\u00dfe, \u03b1\u03b2\u03b3, \u{1f30a}.',
      text: 'Sm\u00f8rrebr\u00f8d, \u041f\u0440\u0438\u0432\u0435\u0442, \u4f60\u597d, \u0645\u0631\u062d\u0628\u0627, e\u0301, \u{1f1f8}\u{1f1ea}, \u{1f469}\u200d\u{1f4bb}, a\u2028b\u2029c, tab\there, "quoted" \\ and <b>.',
    },
  ],
} as const satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof scenarios

/** One answer that is a markdown table of so many rows. */
export function longAnswer(rows: number): readonly Reply[] {
  const lines = ['| row | port | note |', '|---|---|---|']
  for (let row = 1; row <= rows; row++)
    lines.push(`| ${row} | T\u00f3rshavn | calm sea, wind from the west |`)
  return [{ text: lines.join('\n') }]
}
