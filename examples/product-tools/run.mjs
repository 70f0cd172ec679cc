// One product, five tools, every CLI. See README.md.
//
//   node run.mjs [claude-code] [codex-cli] [pi-cli] [cursor-cli] [--real] [--binary ADAPTER=FILE]...
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { adapters, isAgentError, startTurn } from 'coxswain'
import { startModelServer } from 'coxswain/testing'
import { openHarbour } from './harbour.mjs'
import { harbourScenario } from './script.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The CLIs as they are on this machine, with the user's own account. */
    real: { type: 'boolean', default: false },
    /** The CLI to drive; several for one are a command and its arguments. */
    binary: { type: 'string', multiple: true, default: [] },
  },
})

const prompt =
  'Book the north berth for the boat Petrel. If all goes well, put a notice on the board that says so, and sum it up in one sentence.'

const wanted = positionals.length > 0 ? positionals : Object.keys(adapters)
const rows = []
for (const id of wanted) rows.push(await drive(id))
console.log()
console.table(rows)
process.exitCode = rows.every(({ result }) => result === 'booked' || result.startsWith('left out')) ? 0 : 1

/** The same few lines for each CLI. */
async function drive(id) {
  const harbour = openHarbour()
  const model = values.real ? undefined : await startModelServer({ scenario: harbourScenario })
  const cwd = await mkdtemp(join(tmpdir(), 'coxswain-harbour-'))
  console.log(`\n— ${id}`)
  try {
    const turn = startTurn({
      adapter: id,
      prompt,
      cwd,
      bridge: harbour.tools,
      tools: { mode: 'mcp_only' },
      conversations: 'discard',
      ...binaryOf(id),
      ...endpointFor(id, model),
    })
    for await (const event of turn) {
      if (event.type === 'delta') process.stdout.write(event.text)
      if (event.type === 'tool' && event.phase === 'end')
        console.log(`\n  ${event.server}/${event.name}: ${event.status}`)
    }
    const { status, error } = await turn.completion
    if (error) console.log(`  ${error.code}: ${error.message}`)
    return {
      cli: id,
      status,
      offered: model ? Math.max(...model.requests.map(({ offeredTools }) => offeredTools.length)) : '?',
      bookings: JSON.stringify(Object.fromEntries(harbour.bookings)),
      notices: harbour.notices.length,
      // What happened in the product decides, not what the model says of it.
      result:
        harbour.bookings.get('north') === 'Petrel' && harbour.notices.length === 1 ? 'booked' : 'not booked',
    }
  } catch (error) {
    if (!isAgentError(error)) throw error
    console.log(`  ${error.code}: ${error.message}`)
    return { cli: id, status: error.code, result: error.code === 'unsupported' ? 'left out' : 'failed' }
  } finally {
    await model?.close()
    await rm(cwd, { recursive: true, force: true })
  }
}

function endpointFor(id, model) {
  const [api] = adapters[id]?.capabilities.endpoint ?? []
  return model && api ? { endpoint: model.endpointFor(api) } : {}
}

function binaryOf(id) {
  const words = values.binary.flatMap((each) =>
    each.startsWith(`${id}=`) ? [each.slice(id.length + 1)] : [],
  )
  return words.length > 0 ? { binary: words } : {}
}
