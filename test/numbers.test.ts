import { expect, test } from 'vitest'
import { adapters, errorCodes } from '../src/index.ts'
import { maxLineBytes } from '../src/protocol/lines.ts'

/** Numbers and names that are behaviour: who changes one changes what consumers rely on. */

test('the oldest version of each CLI that is started', () => {
  const floors = Object.fromEntries(Object.values(adapters).map(({ id, version }) => [id, version.floor]))
  expect(floors).toEqual({
    'claude-code': '1.0.124',
    'codex-cli': '0.55.0',
    'cursor-cli': '2026.01.28',
    'pi-cli': '0.63.2',
  })
})

test('a line may have 128 MiB', () => {
  expect(maxLineBytes).toBe(134_217_728)
})

test('the list of error codes is closed', () => {
  expect(errorCodes).toEqual([
    ...[
      'not_installed',
      'not_executable',
      'unsupported_version',
      'unsupported',
      'invalid_options',
      'spawn_failed',
    ],
    ...['auth', 'rate_limit', 'usage_limit', 'overloaded', 'context_window', 'max_output', 'refused'],
    ...['model_not_found', 'invalid_request', 'network', 'resume_rejected', 'protocol', 'crashed', 'timeout'],
    ...['aborted', 'busy', 'environment_key_refused', 'bridge_environment_incomplete', 'mcp_unavailable'],
    ...['policy_violation', 'billing_mismatch', 'exposure_visible', 'output_mismatch', 'unknown'],
  ])
})
