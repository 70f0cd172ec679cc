/** A tool of the CLI's own. */
export interface NativeTool {
  /** As the CLI offers it to the model. */
  name: string
  /** What it is for: the kinds that ask, plan, wait or delegate are what a product wants to know of. */
  kind:
    | 'read'
    | 'edit'
    | 'shell'
    | 'network'
    | 'question'
    | 'plan'
    | 'background'
    | 'schedule'
    | 'agent'
    | 'mcp'
    | 'other'
  /** The CLI cannot take it away in 'mcp_only': why it can do nothing there. */
  residual?: string | undefined
  /** The group of those that the CLI has only together, under this name: `allow` and `deny` mean all of them. */
  together?: string | undefined
}
