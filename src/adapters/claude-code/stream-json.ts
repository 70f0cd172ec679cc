import type { Exit } from '../../protocol/ending.ts'
import type { JsonObject } from '../../protocol/narrow.ts'
import type { Step, Wire, WireStart } from '../../protocol/wire.ts'
import { conversationOf } from './session.ts'
import { ClaudeTurn } from './turn.ts'

/** `claude -p --output-format stream-json`, with or without partial messages: one turn. */
export class ClaudeStreamJsonWire implements Wire {
  #turn = newTurn({ transport: 'structured', options: {} })

  start(input: WireStart): Step {
    this.#turn = newTurn(input)
    return this.#turn.step()
  }

  receive(record: JsonObject): Step {
    this.#turn.read(record)
    return this.#turn.step()
  }

  end(exit: Exit): Step {
    return this.#turn.end(exit)
  }
}

function newTurn(input: WireStart): ClaudeTurn {
  const costUsd = input.options.resume === undefined ? 0 : undefined
  return new ClaudeTurn(conversationOf(input), { openTasks: new Set(), costUsd })
}
