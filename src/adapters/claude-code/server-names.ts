/** Servers that claude leaves out, or offers no tool of: 1.0.124 `ide`, 2.0.72 ends at `claude-in-chrome`, 2.1.332 all of them. */
export const claudeServers: readonly string[] = [
  'ide',
  'workspace',
  'computer-use',
  'claude-in-chrome',
  'Claude_in_Chrome',
  'Claude_Browser',
  'Claude_Preview',
  'claude-code-remote',
  'claude-device',
  'claude_ai',
  'ccr-email',
  'hearthbot',
  'remote-devices',
  'webagent',
]
