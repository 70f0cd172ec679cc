/** What the model does where a script plays it: it uses each of the five tools, one of them wrongly first, then tells. */
const call = (name, input) => ({ name: `mcp__bridge__${name}`, input })

export const harbourScenario = [
  { text: 'I look what is free.', toolCalls: [call('list_berths', {}), call('tide_at', { hour: 9 })] },
  // There is no such berth: the product's schema refuses it, and the model is told.
  { toolCalls: [call('book_berth', { berth: 'west', boat: 'Petrel' })] },
  { toolCalls: [call('book_berth', { berth: 'north', boat: 'Petrel' })] },
  { toolCalls: [call('book_berth', { berth: 'east', boat: 'Skua' })] },
  { toolCalls: [call('cancel_booking', { berth: 'east' })] },
  { toolCalls: [call('post_notice', { text: 'Petrel lies at the north berth.' })] },
  { text: 'Petrel lies at the **north** berth; the board says so.' },
]
