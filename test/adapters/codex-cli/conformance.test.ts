import { test } from 'vitest'
import { codexCli } from '../../../src/adapters/codex-cli.ts'
import { testAdapter } from '../../../src/testing.ts'

testAdapter(codexCli, { fixtures: new URL('../../../fixtures/codex-cli/', import.meta.url), test })
