import { invalid } from '../options/faults.ts'
import { readPlainData } from '../options/plain-data.ts'
import { unread } from '../options/read-options.ts'
import { asObject } from '../protocol/narrow.ts'
import type { BridgeSessionOptions, ToolBridgeOptions } from './bridge-options.ts'

/** @throws AgentError `invalid_options` for what is no object of options, or whose `tools` are no list */
export function readBridgeOptions(options: ToolBridgeOptions): ToolBridgeOptions {
  const read = readObject(options, ([name, index, ...more]) => {
    return name === 'tools' && index !== undefined && more.length === 0
  })
  if (!isList(read.tools))
    throw invalid('`tools` is no list of tools', 'Give a list, made with defineTool().')
  return read
}

/** @throws AgentError `invalid_options` likewise, where `tools` is no list of names */
export function readSessionOptions(options: BridgeSessionOptions): BridgeSessionOptions {
  const read = readObject(options)
  const { sessionId, tools } = read
  if (sessionId !== undefined && typeof sessionId !== 'string') {
    throw invalid('The sessionId of a bridge session is no text', 'Leave it out, or give a text.')
  }
  if (tools !== undefined && !(isList(tools) && tools.every((name) => typeof name === 'string'))) {
    throw invalid("A session's `tools` are no list of names", "Give the names of some of the bridge's tools.")
  }
  return read
}

function readObject<Options extends object>(
  options: Options,
  isApart?: (path: readonly string[]) => boolean,
): Options {
  const { value, issues } = readPlainData(options, isApart)
  for (const { path, message, fix } of issues) throw unread(path, message, fix)
  if (!isCopyOf(value, options)) throw invalid('The options are no object', 'Give { ... }.')
  return value
}

/** It is a copy. */
function isCopyOf<Options extends object>(copy: unknown, _of: Options): copy is Options {
  return asObject(copy) !== undefined
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
