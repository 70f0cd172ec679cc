export {
  type BridgeAddress,
  deriveBridgeVariables,
} from './env/bridge-variables.ts'
export {
  type ComposedCredentials,
  type ComposedEnvironment,
  type ComposeOptions,
  composeChildEnvironment,
} from './env/compose.ts'
export type { CredentialChoice, CredentialVariables } from './env/credentials.ts'
export { environmentFingerprint } from './env/fingerprint.ts'
export { type Grant, grantEnvironment, type Scope } from './env/grant.ts'
export { isScopedEnvironmentKey, isSecretName } from './env/policy.ts'
export {
  type Environment,
  type EnvironmentReportEntry,
  type EnvironmentRule,
  environmentRules,
} from './env/report.ts'
export { type ScrubOptions, type ScrubResult, scrubEnvironment } from './env/scrub.ts'
