// `npm run example:browser-chat`: builds the package and starts the example, with the CLIs that test/clis pins and a script for a
// model. With --real: with the CLIs on PATH and the user's own accounts.
import { runExample } from './foreground.mjs'

await runExample('examples/browser-chat/server.mjs')
