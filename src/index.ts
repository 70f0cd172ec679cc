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
  type PlannedFile,
} from './adapters/adapter.ts'
export type { Capabilities } from './adapters/capabilities.ts'
export type { HomeDeclaration, SignInBilling, Surroundings } from './adapters/home-declaration.ts'
export type {
  LaunchEndpoint,
  LaunchMcpServer,
  LaunchOptions,
  LiveLaunchOptions,
  ToolPolicy,
} from './adapters/launch-options.ts'
export type { NativeTool } from './adapters/native-tool.ts'
export { adapters, getAdapter } from './adapters/registry.ts'
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
export type { BridgeTool, ToolAnnotations, ToolContext } from './options/bridge-tool.ts'
export type { Approvals, Budgets, Credentials, Endpoint, McpServer } from './options/option-parts.ts'
export { type RuntimeProfile, runtimeProfileSchema } from './options/profile.ts'
export { resolveProfile } from './options/resolve-profile.ts'
export type { JsonSchema, OutputOf, Schema, StandardSchema } from './options/schema-types.ts'
export { nativeLimit } from './options/tool-policy.ts'
export { resolveTransport, type TransportChoice, type TransportOptions } from './options/transport.ts'
export type {
  AdapterId,
  ApprovalCallback,
  BuiltInAdapterId,
  Decision,
  LogEntry,
  SessionOptions,
  TurnOptions,
} from './options/turn-options.ts'
export { assembleText } from './protocol/assemble.ts'
export { codeForStatus, codeForText } from './protocol/classify.ts'
export type { Exit, Failure, Verdict } from './protocol/ending.ts'
export { agentEventSchema } from './protocol/event-schema.ts'
export type {
  AgentEvent,
  CompletionEvent,
  ContentBlock,
  DecisionWord,
  DeltaEvent,
  InteractionEvent,
  InteractionOption,
  InteractionPayload,
  McpServerState,
  MessageEvent,
  NoticeEvent,
  PlanEntry,
  PlanEvent,
  SessionEvent,
  ThinkingEvent,
  ToolEvent,
  ToolKind,
  ToolLocation,
  ToolStatus,
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
export type {
  CompletionError,
  CompletionStatus,
  Evidence,
  Ledger,
  StopReason,
  Usage,
} from './protocol/outcome.ts'
export type { PromptPart } from './protocol/prompt.ts'
export type { TextRun, TextRunOptions, TextRuns } from './protocol/text-runs.ts'
export type { ToolCalls, ToolDescription, ToolResult } from './protocol/tool-calls.ts'
export { Transcript } from './protocol/transcript.ts'
export type {
  Steered,
  Step,
  Wire,
  WireCommand,
  WireDecision,
  WireOptions,
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
