import type { NativeTool } from '../native-tool.ts'

const namesByKind: readonly (readonly [NativeTool['kind'], string])[] = [
  ['shell', 'shell writeShellStdin setupVmEnvironment computerUse piBash'],
  ['read', 'read ls glob grep semSearch readLints readTodos blameByFilePath readCanvas getPrCodeTour'],
  ['read', 'searchConversations readAgentTranscript fetchCloudAgentData piRead piGrep piFind piLs'],
  ['edit', 'edit write delete applyAgentDiff writeCanvas updatePrCodeTour piEdit piWrite'],
  ['network', 'webFetch fetch webSearch'],
  ['question', 'askQuestion'],
  ['plan', 'createPlan switchMode updateTodos todo createGoal updateGoal startGrindPlanning'],
  ['background', 'await startGrindExecution'],
  ['agent', 'task createAgent stopAgent getAgentStatus sendToAgent adopt'],
  ['mcp', 'listMcpResources readMcpResource getMcpTools mcpAuth'],
  ['other', 'generateImage recordScreen reflect truncated reportBugfixResults aiAttribution prManagement'],
  ['other', 'reportBug setActiveBranch communicateUpdate sendFinalSummary replaceEnv editPrLabels'],
  ['other', 'recordCiInvestigationFindings sendMessage sendToUser connectScm'],
]

/** One permission is for all of them. */
const writing: readonly string[] = ['edit', 'write', 'delete']

/**
 * Every tool of 2026.10.01's own list, and two that only older builds have, as its records call them. Public notes and recordings
 * tell of them: which of them a build offers the model, nobody has seen.
 */
export const cursorNativeTools: readonly NativeTool[] = namesByKind.flatMap(([kind, names]) =>
  names.split(' ').map((name) => ({ name, kind, ...(writing.includes(name) && { together: 'write' }) })),
)

/** The permission that refuses its calls. There is none for the others. */
export const cursorPermissions: Readonly<Record<string, string>> = {
  shell: 'Shell(*)',
  read: 'Read(**)',
  edit: 'Write(**)',
  write: 'Write(**)',
  delete: 'Write(**)',
  webFetch: 'WebFetch(*)',
}
