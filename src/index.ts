export { type AcpAgentOptions, acpAgent } from './adapters/acp.ts'
export {
  type Adapter,
  type AdapterDefinition,
  type CredentialSet,
  defineAdapter,
  type Launch,
  type LaunchContext,
  type LiveLaunch,
  type LiveProtocol,
  type NativeTool,
  type PlannedFile,
} from './adapters/adapter.ts'
export type { Capabilities } from './adapters/capabilities.ts'
export type { HomeDeclaration, SignInBilling, Surroundings } from './adapters/home-declaration.ts'
export { adapters, getAdapter } from './adapters/registry.ts'
export type { BridgeTool, ToolAnnotations, ToolContext } from './bridge/tool.ts'
export { deriveBridgeVariables } from './env/bridge-variables.ts'
export { composeChildEnvironment } from './env/compose.ts'
export { environmentFingerprint } from './env/fingerprint.ts'
export { grantEnvironment } from './env/grant.ts'
export { isScopedEnvironmentKey, isSecretName } from './env/policy.ts'
export { scrubEnvironment } from './env/scrub.ts'
export {
  AgentError,
  type AgentErrorOptions,
  type ErrorCode,
  errorCodes,
  type Issue,
  isAgentError,
} from './errors.ts'
export { type RuntimeProfile, runtimeProfileSchema } from './options/profile.ts'
export { resolveProfile } from './options/resolve-profile.ts'
export { nativeLimit, type ToolPolicy } from './options/tool-policy.ts'
export { resolveTransport, type TransportChoice, type TransportOptions } from './options/transport.ts'
export type {
  AdapterId,
  ApprovalCallback,
  Approvals,
  Budgets,
  BuiltInAdapterId,
  Credentials,
  Decision,
  DecisionWord,
  Endpoint,
  JsonSchema,
  LaunchEndpoint,
  LaunchMcpServer,
  LaunchOptions,
  LiveLaunchOptions,
  LogEntry,
  McpServer,
  OutputOf,
  PromptPart,
  Schema,
  SessionOptions,
  StandardSchema,
  TurnOptions,
  WireOptions,
} from './options/turn-options.ts'
export { assembleText } from './protocol/assemble.ts'
export { codeForStatus, codeForText } from './protocol/classify.ts'
export type { Failure, Verdict } from './protocol/ending.ts'
export { agentEventSchema } from './protocol/event-schema.ts'
export type {
  AgentEvent,
  CompletionError,
  CompletionEvent,
  CompletionStatus,
  ContentBlock,
  DeltaEvent,
  Evidence,
  InteractionEvent,
  InteractionOption,
  InteractionPayload,
  Ledger,
  McpServerState,
  MessageEvent,
  NoticeEvent,
  PlanEntry,
  PlanEvent,
  SessionEvent,
  StopReason,
  ThinkingEvent,
  ToolEvent,
  ToolKind,
  ToolLocation,
  ToolStatus,
  Usage,
  UsageEvent,
  WireEvent,
} from './protocol/events.ts'
export {
  asArray,
  asBoolean,
  asNumber,
  asObject,
  asString,
  type JsonObject,
} from './protocol/narrow.ts'
export type { TextRun, TextRunOptions, TextRuns } from './protocol/text-runs.ts'
export type { ToolCalls, ToolDescription, ToolResult } from './protocol/tool-calls.ts'
export { Transcript } from './protocol/transcript.ts'
export type {
  Exit,
  Steered,
  Step,
  Wire,
  WireCommand,
  WireDecision,
  WireStart,
} from './protocol/wire.ts'
export { type AdapterReport, type DoctorOptions, type DoctorReport, doctor } from './run/doctor.ts'
export { type EnvironmentReport, type ExplainOptions, explainEnvironment } from './run/explain-environment.ts'
export { shutdownAll } from './run/live-turns.ts'
export { type ReplayOptions, replay } from './run/replay.ts'
export { openSession, type Session } from './run/session.ts'
export { startTurn } from './run/turn.ts'
export type { EventOf, EventType, SteerOutcome, Turn } from './run/turn-interface.ts'
export {
  type NativeShellProbeOptions,
  type NativeShellReport,
  probeNativeShell,
} from './testing/probe-native-shell.ts'
