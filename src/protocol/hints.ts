import type { ErrorCode } from '../errors.ts'

/** What to do next where nobody who saw the error knew better. */
const hints: Readonly<Record<ErrorCode, string>> = {
  not_installed: 'Install the CLI, or give its path as `binary`.',
  not_executable: 'Give a file that may be executed as `binary`.',
  unsupported_version: 'Update the CLI.',
  unsupported: 'Leave the option out, or use an adapter that has it.',
  invalid_options: 'Change the option that the message names.',
  spawn_failed: 'See with `coxswain doctor` whether the CLI is found and starts.',
  auth: 'Sign the CLI in, or give a credential; `coxswain doctor` says which one would be used.',
  rate_limit: 'Wait, until `retryAt` where it is given, and start the turn again.',
  usage_limit:
    'Wait until the limit resets, at `retryAt` where it is given, or use another account or model.',
  overloaded: 'The provider is busy or ill: wait a little, and start the turn again.',
  context_window: 'Make the prompt shorter, or begin a new conversation.',
  max_output: 'Ask for less at once, or resume the conversation and ask for the rest.',
  refused: 'Ask in other words, or name another `model`.',
  model_not_found: 'Name a model that this account has, or leave `model` out.',
  invalid_request: 'Check what the provider was sent: `model`, `effort`, images, `configuration`.',
  network:
    'Check that the provider can be reached (connection, proxy, `endpoint`), and start the turn again.',
  resume_rejected:
    'Resume a sessionId of an earlier `session` event, with the same `cwd` and `conversations`; or start anew.',
  protocol:
    'Start the turn again; if it stays so, see with `coxswain doctor` whether this version of the CLI was tested.',
  crashed: 'Read `stderrTail`, and start the turn again, with `resume` where the conversation shall go on.',
  timeout: 'Give the turn more time in `budgets`.',
  aborted: 'Start the turn again, with `resume` where the conversation shall go on.',
  busy: 'Wait for the turn that runs, and start this one again.',
  environment_key_refused: 'Take the key that the message names out of `scope`.',
  bridge_environment_incomplete: 'Give all routes of the bridge, or none.',
  mcp_unavailable: 'Check that the MCP server starts and can be reached, or leave it out.',
  policy_violation:
    'Allow in the options what the CLI did, or forbid it where the CLI can be made to keep to it.',
  billing_mismatch: "Give the credential of the account that shall pay, or take billing: 'any'.",
  exposure_visible: "Take credentialExposure: 'auto', and look at it in the completion.",
  output_mismatch: 'Start the turn again, or ask for a simpler `outputSchema`.',
  unknown: 'Read the message and `stderrTail`: this error is none that the adapter knows.',
}

/** @param better what was said by who saw the error */
export function hintOrDefault(code: ErrorCode, better?: string): string {
  return better === undefined || better.trim() === '' ? hints[code] : better
}
