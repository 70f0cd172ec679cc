/** An extension of pi that begins runs by itself: when the conversation opens, and (since pi 0.80.4) once more after the first prompt's. */

interface Pi {
  on(event: 'session_start' | 'agent_settled', handler: () => void): void
  on(event: 'input', handler: (event: { text: string }) => void): void
  sendUserMessage(text: string): void
}

export default function busying(pi: Pi): void {
  let last = ''
  pi.on('session_start', () => pi.sendUserMessage('talk:at the start'))
  pi.on('input', ({ text }) => {
    last = text
  })
  pi.on('agent_settled', () => {
    if (last === 'One.') pi.sendUserMessage('talk:again')
  })
}
