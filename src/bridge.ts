export {
  type BridgeTool,
  defineTool,
  type ToolAnnotations,
  type ToolContext,
  type ToolInput,
  type ToolOutput,
} from './bridge/tool.ts'
export {
  type BridgeSession,
  type BridgeSessionOptions,
  startToolBridge,
  type ToolBridge,
  type ToolBridgeOptions,
} from './bridge/tool-bridge.ts'
