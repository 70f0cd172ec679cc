import type { LaunchContext } from '../../../src/adapters/adapter.ts'
import { claudeCode } from '../../../src/adapters/claude-code.ts'
import type { LaunchOptions } from '../../../src/adapters/launch-options.ts'
import { plainLaunch } from '../launching.ts'

export function launchOptions(options: Partial<LaunchOptions> = {}): LaunchOptions {
  return { ...plainLaunch, prompt: [{ type: 'text', text: 'Sail.' }], ...options }
}

export function launchContext(context: Partial<LaunchContext> = {}): LaunchContext {
  return {
    version: '2.1.332',
    home: '/homes/1',
    directory: '/homes/1',
    platform: 'linux',
    isRoot: false,
    ...context,
  }
}

/** What claude has to ask a person with, and to change its plan mode. */
export const asking =
  'AskUserQuestion,McpTaskShowQuestion,OfferChromeSetup,SetGoal,ShowOnboardingRolePicker,SuggestConnectors,SuggestPluginInstall,SuggestSkills,WrapUp,propose_goal,propose_skills,EnterPlanMode,ExitPlanMode'

/** What goes on in the background, or begins something later. */
export const starting =
  'AutofixPr,FetchInboxMessage,GetTask,McpTaskCheck,McpTaskResumePolling,Monitor,Poll,ReadNotifications,SuggestBackgroundPR,TaskOutput,AgentOutput,AgentOutputTool,BashOutput,BashOutputTool,TaskStop,KillBash,KillShell,Workflow,Yield,CronCreate,CronDelete,CronList,RemoteTrigger,ScheduleWakeup'

export const launch = claudeCode.structured.launch

/** Of the directories above /w. */
export const aboveImports = '@/CLAUDE.md\n@/.claude/CLAUDE.md\n@/CLAUDE.local.md\n'
