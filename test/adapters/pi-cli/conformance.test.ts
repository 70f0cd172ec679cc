import { test } from 'vitest'
import { piCli } from '../../../src/adapters/pi-cli.ts'
import { testAdapter } from '../../../src/testing.ts'

testAdapter(piCli, { fixtures: new URL('../../../fixtures/pi-cli/', import.meta.url), test })
