// The model server of the benchmark, in a process of its own: it must not take the measured process's time.
import { scenarios, startModelServer } from '../../dist/testing.js'

const server = await startModelServer({ scenario: scenarios.tool })
process.send(Object.fromEntries(process.argv.slice(2).map((api) => [api, server.endpointFor(api)])))
process.once('disconnect', () => server.close())
