// What the model of the demo says: a script, so that the example needs no account. `coxswain/testing` serves it to the real CLIs.

export const suggestions = [
  'What can you do?',
  'Write a note into a file',
  'Ask me which port to call at',
  'Count slowly',
]

const help =
  'I am a script that plays a model, behind a real command-line agent. Ask me to write a note: the agent wants your permission first. Ask me to ask you something: the question stands here until you answer it. Ask me to count slowly: meanwhile you can say more, or stop me.'

const question = 'Which port shall we call at?'
const ports = [
  { label: 'Bergen', description: 'north, with the wind' },
  { label: 'Kiel', description: 'south, against it' },
]

/** How each CLI's model asks a person. pi's has no tool for it: there an extension asks before the shell runs. */
const questionCalls = {
  AskUserQuestion: {
    questions: [{ question, header: 'Port', multiSelect: false, options: ports }],
  },
  request_user_input: { questions: [{ id: 'port', header: 'Port', question, options: ports }] },
}

const rounds = 12

/** @returns a scenario for `startModelServer()`: what is said depends on what the person said last */
export function demoModel() {
  /** How many answers the conversation held when a text of the person's was first seen. */
  const firstSeen = new Map()

  return (request) => {
    const said = request.userTexts.map(withoutWrapping).filter((text) => text !== '')
    const last = said.at(-1) ?? ''
    const key = said.join('\n')
    if (!firstSeen.has(key)) firstSeen.set(key, request.answersHeld)
    const step = request.answersHeld - firstSeen.get(key)
    return replyTo(last, step, request)
  }
}

function replyTo(text, step, request) {
  if (/\bwrite\b/i.test(text)) return writing(step, request)
  if (/\bask me\b/i.test(text)) return asking(step, request)
  if (/\bcount\b/i.test(text)) return counting(step)
  if (/\bwhat can you\b/i.test(text))
    return { thinking: 'They want to know what this is.', text: help, paceMs: 15 }
  return { text: `You said: ${text.slice(0, 200)}`, paceMs: 15 }
}

function writing(step, { toolResults }) {
  if (step === 0) {
    return {
      thinking: 'A note is wanted. A file called note.txt will do, and the shell can write it.',
      text: 'I will write it with the shell.',
      toolCalls: [shell('echo "All is well." > note.txt && cat note.txt')],
      paceMs: 15,
    }
  }
  return { text: `The shell said: ${(toolResults.at(-1) ?? 'nothing').trim().slice(0, 300)}`, paceMs: 15 }
}

function asking(step, { offeredTools, toolResults }) {
  if (step > 0)
    return { text: `Your answer: ${(toolResults.at(-1) ?? 'none').trim().slice(0, 300)}`, paceMs: 15 }
  const name = Object.keys(questionCalls).find((each) => offeredTools.includes(each))
  const call = name ? { name, input: questionCalls[name] } : shell('echo which port')
  return {
    thinking: 'Only the person can know that, so I ask.',
    text: 'One thing first.',
    toolCalls: [call],
    paceMs: 15,
  }
}

/** A tool call between the rounds: that is where a CLI takes in what is said meanwhile. */
function counting(step) {
  if (step >= rounds) return { text: 'That was all.' }
  const text = Array.from({ length: 10 }, (_, index) => `${step * 10 + index + 1} `)
  return { text, paceMs: 60, toolCalls: [shell('pwd')] }
}

function shell(command) {
  return { name: 'shell', input: { command } }
}

/** CLIs put texts of their own among the user's, in tags or under a heading, and claude wraps what is said while it works. */
function withoutWrapping(text) {
  if (/^\s*(?:<[a-z_-]+[ >]|# )/i.test(text)) return ''
  const [, steered] =
    /^The user sent a new message while you were working:\n(.*?)(?:\n\nThis is how|$)/s.exec(text) ?? []
  return (steered ?? text).trim()
}
