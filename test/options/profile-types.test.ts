import { expectTypeOf, it } from 'vitest'
import { resolveProfile, type TurnOptions } from '../../src/index.ts'

it('what a profile comes to can be spread before or after the adapter and the prompt', () => {
  const options = () => resolveProfile({}, 'pi-cli')
  const after = () => ({ ...options(), adapter: 'pi-cli', prompt: 'Hello.' })
  const before = () => ({ adapter: 'pi-cli', prompt: 'Hello.', ...options() })
  expectTypeOf(after).returns.toExtend<TurnOptions>()
  expectTypeOf(before).returns.toExtend<TurnOptions>()
})
