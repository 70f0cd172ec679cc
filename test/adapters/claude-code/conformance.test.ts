import { test } from 'vitest'
import { claudeCode } from '../../../src/adapters/claude-code.ts'
import { testAdapter } from '../../../src/testing.ts'

testAdapter(claudeCode, { fixtures: new URL('../../../fixtures/claude-code/', import.meta.url), test })
