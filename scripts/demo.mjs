// `npm run demo`: installs the pinned CLIs where they are missing, builds the package, and runs `coxswain demo` with them.
import { inForeground } from './foreground.mjs'
import { buildForNewest } from './newest-clis.mjs'

inForeground(['dist/cli.js', 'demo', ...(await buildForNewest()), ...process.argv.slice(2)])
