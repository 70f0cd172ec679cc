import { AgentError, shortened } from '../errors.ts'
import type { AdapterId, BuiltInAdapterId } from '../options/turn-options.ts'
import type { Adapter } from './adapter.ts'
import { claudeCode } from './claude-code.ts'
import { codexCli } from './codex-cli.ts'
import { cursorCli } from './cursor-cli.ts'
import { piCli } from './pi-cli.ts'

/** The built-in adapters, by id. */
export const adapters: Readonly<Record<string, Adapter> & Record<BuiltInAdapterId, Adapter>> = {
  'claude-code': claudeCode,
  'codex-cli': codexCli,
  'cursor-cli': cursorCli,
  'pi-cli': piCli,
}

/** The built-in adapter with this id. Throws `invalid_options` that lists the known ones. */
export function getAdapter(id: AdapterId): Adapter {
  const adapter = Object.hasOwn(adapters, id) ? adapters[id] : undefined
  if (adapter) return adapter
  const ids = Object.keys(adapters)
  const meant = ids.find((each) => each.split('-')[0] === id)
  throw new AgentError(
    'invalid_options',
    `There is no adapter "${shortened(id)}". Known: ${ids.join(', ')}.`,
    {
      hint:
        meant !== undefined
          ? `Did you mean '${meant}'?`
          : 'Use one of the known ids, or pass an adapter made with defineAdapter().',
    },
  )
}
