import { lookUp } from '../../protocol/narrow.ts'
import type { NativeTool } from '../native-tool.ts'

/**
 * What 1.0.124, 2.0.72 and 2.1.332 offer on either transport, from their requests, and what else they name as a tool of their own
 * in their code: behind switches of the account, the model, the platform or the host, or in versions between these. Not
 * StructuredOutput, which is how an answer of the wanted shape is said.
 */
const names: readonly (readonly [NativeTool['kind'], string])[] = [
  ['read', 'Glob Grep LS LSP NotebookRead Read'],
  ['edit', 'Edit MultiEdit NotebookEdit Write'],
  ['shell', 'AppifactRepl Bash PowerShell REPL'],
  [
    'network',
    `Artifact ArtifactCheck ArtifactComments ArtifactData ClaudeDesign DesignSync Frame FrameRead ListConnectors Projects
     PublishPlugin PushNotification SearchMcpRegistry SendFeedback SendFile SendToProject SendToProjectContext SendUserFile
     ShareOnboardingGuide WebFetch WebSearch web_fetch web_search`,
  ],
  [
    'question',
    `AskUserQuestion McpTaskShowQuestion OfferChromeSetup SetGoal ShowOnboardingRolePicker SuggestConnectors
     SuggestPluginInstall SuggestSkills WrapUp propose_goal propose_skills`,
  ],
  ['plan', 'EnterPlanMode ExitPlanMode'],
  [
    'background',
    `AutofixPr FetchInboxMessage GetTask McpTaskCheck McpTaskResumePolling Monitor Poll ReadNotifications SuggestBackgroundPR
     TaskOutput TaskStop Workflow Yield`,
  ],
  ['schedule', 'CronCreate CronDelete CronList RemoteTrigger ScheduleWakeup'],
  ['agent', 'Agent ListAgents ObserverReport SendMessage SubagentHandback TeamCreate TeamDelete advisor'],
  [
    'mcp',
    `DeferredToolPlaceholder ListMcpResourcesTool MCPSearch ReadMcpResourceDirTool ReadMcpResourceTool RefreshMcpTools
     ToolSearch WaitForMcpServers`,
  ],
  [
    'other',
    `EndConversation EnterWorktree ExitWorktree GetGoal PauseGoal ReadWidgetContext ReportFindings SendUserMessage Skill
     SlashCommand TaskCreate TaskGet TaskList TaskUpdate TodoWrite memory_list memory_read memory_write`,
  ],
]

/**
 * Second names, of older versions mostly, which claude takes for the tool's own in its lists and in calls. The `init` of 2.1.332
 * still says Task of the tool that it offers the model as Agent (renamed in 2.1.63).
 */
const secondNames: Readonly<Record<string, readonly string[]>> = {
  Agent: ['Task'],
  TaskStop: ['KillBash', 'KillShell'],
  TaskOutput: ['AgentOutput', 'AgentOutputTool', 'BashOutput', 'BashOutputTool'],
  SendUserMessage: ['Brief'],
  ListMcpResourcesTool: ['ListMcpResources'],
  ReadMcpResourceTool: ['ReadMcpResource'],
  ReadMcpResourceDirTool: ['ReadMcpResourceDir'],
}

export const claudeNativeTools: readonly NativeTool[] = names.flatMap(([kind, ofKind]) =>
  ofKind.split(/\s+/).flatMap((name): NativeTool[] => {
    const second = lookUp(secondNames, name)
    if (!second) return [{ name, kind }]
    return [name, ...second].map((each) => ({ name: each, kind, together: name }))
  }),
)
