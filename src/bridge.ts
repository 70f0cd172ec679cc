export type { BridgeSessionOptions, ToolBridgeOptions } from './bridge/bridge-options.ts'
export { defineTool } from './bridge/tool.ts'
export { type BridgeSession, startToolBridge, type ToolBridge } from './bridge/tool-bridge.ts'
export type {
  BridgeTool,
  ToolAnnotations,
  ToolContext,
  ToolInput,
  ToolOutput,
} from './options/bridge-tool.ts'
