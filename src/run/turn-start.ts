import type { Launch, LaunchContext, LiveLaunch, LiveProtocol } from '../adapters/adapter.ts'
import type { LaunchEndpoint } from '../adapters/launch-options.ts'
import type { CheckedOptions } from '../options/check.ts'
import type { OutputPlan } from './asked-output.ts'
import { sound } from './launch.ts'
import type { ToolServers } from './tool-servers.ts'

/** How the CLI is started, as its adapter declares it. */
export type TurnStart =
  | { transport: 'structured'; launch: Launch }
  | { transport: 'live'; launch: LiveLaunch; live: LiveProtocol }

/** @param found the endpoint is in the place of the caller's, where a forwarder stands before it */
export function startOf(
  { adapter, transport, launch: given, interactions }: CheckedOptions,
  found: { output: OutputPlan; endpoint: LaunchEndpoint | undefined; mcpServers: ToolServers['servers'] },
  context: LaunchContext,
): TurnStart {
  const { output, endpoint, mcpServers } = found
  const { outputSchema: _, ...rest } = given
  const options = {
    ...rest,
    mcpServers,
    ...(output.schema && { outputSchema: output.schema }),
    ...(endpoint && { endpoint }),
  }
  const { live } = adapter
  if (transport === 'structured' || !live) {
    return {
      transport: 'structured',
      launch: sound(
        adapter,
        adapter.structured.launch({ ...options, prompt: output.ask(options.prompt) }, context),
      ),
    }
  }
  const approvals = interactions === 'default' ? options.approvals : 'host'
  return { transport, launch: sound(adapter, live.launch({ ...options, approvals }, context)), live }
}
