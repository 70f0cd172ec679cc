import { whereHostShows } from '../../../src/run/host-environment.ts'

/** Says where a child of this process could read the value that comes on stdin. */
let value = ''
for await (const chunk of process.stdin) value += chunk
delete process.env.HELD_KEY
console.log(whereHostShows(value) ?? 'nowhere')
