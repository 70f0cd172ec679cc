export const runs = 'item/commandExecution/requestApproval'
export const elicits = 'mcpServer/elicitation/request'
export const command = {
  itemId: 'c1',
  command: "/bin/bash -lc 'touch a'",
  commandActions: [{ type: 'unknown', command: 'touch a' }],
  availableDecisions: [
    'accept',
    { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['touch', 'a'] } },
    'cancel',
  ],
}
export const question = {
  itemId: 'q1',
  questions: [
    {
      id: 'port',
      header: 'Port',
      question: 'Which port?',
      isOther: false,
      isSecret: false,
      options: [{ label: 'Kiel', description: 'south' }],
    },
    { id: 'pin', header: 'Pin', question: 'Which pin?', isOther: true, isSecret: true, options: null },
  ],
}
export const form = {
  serverName: 'tiny',
  mode: 'form',
  message: 'Where to?',
  requestedSchema: {
    type: 'object',
    properties: { port: { type: 'string' }, berth: { type: 'integer' }, night: { type: 'boolean' } },
  },
}
export const mayRun = {
  serverName: 'tiny',
  mode: 'form',
  message: 'Allow tiny to add?',
  _meta: { codex_approval_kind: 'mcp_tool_call', persist: ['session', 'always'], tool_name: 'add' },
  requestedSchema: { type: 'object', properties: {} },
}
export const permissions = {
  itemId: 'p1',
  reason: 'to fetch',
  permissions: { network: { enabled: true }, fileSystem: null },
}
