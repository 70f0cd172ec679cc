// `npm run example:product-tools`: builds the package and runs the example, with the CLIs that test/clis pins and a script for a
// model. With --real: with the CLIs on PATH and the user's own accounts.
import { runExample } from './foreground.mjs'

await runExample('examples/product-tools/run.mjs')
