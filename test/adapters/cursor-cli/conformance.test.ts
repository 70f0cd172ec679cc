import { test } from 'vitest'
import { cursorCli } from '../../../src/adapters/cursor-cli.ts'
import { testAdapter } from '../../../src/testing.ts'

testAdapter(cursorCli, { fixtures: new URL('../../../fixtures/cursor-cli/', import.meta.url), test })
