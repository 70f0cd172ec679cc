import { describe, expect, it } from 'vitest'
import type { LaunchOptions } from '../../../src/adapters/launch-options.ts'
import { launch, settings } from './exec-launching.ts'

describe('approvals and sandbox', () => {
  it.each<[Partial<LaunchOptions>, object]>([
    [{ approvals: 'deny' }, { approval_policy: 'never' }],
    [
      { approvals: 'deny', sandbox: 'read-only' },
      { approval_policy: 'never', sandbox_mode: 'read-only' },
    ],
    [{ approvals: 'deny', network: false }, { approval_policy: 'never' }],
    [
      { approvals: 'deny', sandbox: 'workspace-write' },
      { approval_policy: 'never', sandbox_mode: 'workspace-write' },
    ],
    [
      { approvals: 'deny', sandbox: 'workspace-write', network: true },
      {
        approval_policy: 'never',
        sandbox_mode: 'workspace-write',
        sandbox_workspace_write: { network_access: true },
      },
    ],
    [
      { approvals: 'deny', sandbox: 'workspace-write', network: false },
      {
        approval_policy: 'never',
        sandbox_mode: 'workspace-write',
        sandbox_workspace_write: { network_access: false },
      },
    ],
    [
      { approvals: 'deny', sandbox: 'off' },
      { approval_policy: 'never', sandbox_mode: 'danger-full-access' },
    ],
    [
      { approvals: 'auto' },
      { approval_policy: 'on-request', approvals_reviewer: 'auto_review', sandbox_mode: 'workspace-write' },
    ],
    [
      { approvals: 'auto', sandbox: 'read-only' },
      { approval_policy: 'on-request', approvals_reviewer: 'auto_review', sandbox_mode: 'read-only' },
    ],
    [{ approvals: 'approve-all' }, { approval_policy: 'never', sandbox_mode: 'danger-full-access' }],
    [
      { approvals: 'approve-all', network: true },
      { approval_policy: 'never', sandbox_mode: 'danger-full-access' },
    ],
    [
      { approvals: 'approve-all', sandbox: 'workspace-write' },
      { approval_policy: 'never', sandbox_mode: 'workspace-write' },
    ],
  ])('%j', (options, expected) => {
    expect(settings('0.171.0', options)).toEqual(expected)
  })

  it.each<[Partial<LaunchOptions>]>([
    [{ network: true }],
    [{ sandbox: 'read-only', network: true }],
    [{ sandbox: 'off', network: false }],
    [{ approvals: 'approve-all', network: false }],
  ])('%j cannot be honoured', (options) => {
    expect(() => launch('0.171.0', options)).toThrow(
      expect.objectContaining({ code: 'unsupported', message: expect.stringContaining('network') }),
    )
  })

  it.each(['0.55.0', '0.113.0', '0.130.0'])("'auto' needs a reviewer, which %s has not", (version) => {
    expect(() => launch(version, { approvals: 'auto' })).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        hint: "Use codex 0.140.0 or newer, or approvals: 'deny'.",
      }),
    )
  })
})
