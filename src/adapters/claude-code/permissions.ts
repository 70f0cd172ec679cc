import type { InteractionOption } from '../../protocol/events.ts'
import { asArray, asObject, asString, type JsonObject } from '../../protocol/narrow.ts'
import type { WireDecision } from '../../protocol/wire.ts'
import { answeredInput } from './questions.ts'

/** What a person is asked about a call: 'Bash: touch hello.txt'. */
export function permissionTitle(request: JsonObject): string {
  const input = asObject(request.input) ?? {}
  const name = (asString(request.display_name) ?? asString(request.tool_name) ?? 'A tool').replace(
    /^mcp__(.+?)__/,
    '$1: ',
  )
  const about =
    asString(input.command) ??
    asString(input.file_path) ??
    asString(input.notebook_path) ??
    asString(input.url) ??
    asString(input.query) ??
    asString(input.pattern) ??
    asString(request.description)
  return about === undefined ? name : `${name}: ${about.slice(0, 500)}`
}

/** Allow, allow for the rest of the session in each way that claude suggests, deny. */
export function permissionOptions(request: JsonObject): InteractionOption[] {
  const always = suggestionsOf(request).map((suggestion, index): InteractionOption => {
    return { optionId: `always-${index + 1}`, name: nameOf(suggestion), kind: 'allow_always' }
  })
  return [
    { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
    ...always,
    { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
  ]
}

export const planOptions: InteractionOption[] = [
  { optionId: 'allow', name: 'Carry out the plan', kind: 'allow_once' },
  { optionId: 'deny', name: 'Keep planning', kind: 'reject_once' },
]

/** What claude is told. Its own dialog writes rules into the project; ours count for this process. */
export function permissionResponse(request: JsonObject, decision: WireDecision): JsonObject {
  const { answers, message, optionId } = decision
  if (decision.decision !== 'allow') {
    const isCancel = decision.decision === 'cancel'
    return {
      behavior: 'deny',
      message: message ?? (isCancel ? 'The user stopped here.' : 'The user denied this.'),
      ...(isCancel && { interrupt: true }),
    }
  }
  const input = asObject(decision.updatedInput) ?? asObject(request.input) ?? {}
  const updatedPermissions = permissionsOf(request, optionId)
  return {
    behavior: 'allow',
    updatedInput: answers === undefined ? input : answeredInput(input, answers),
    ...(updatedPermissions.length > 0 && { updatedPermissions }),
  }
}

function permissionsOf(request: JsonObject, optionId: string | undefined): JsonObject[] {
  // 2.0.72 stays in plan mode although the plan was approved.
  if (request.tool_name === 'ExitPlanMode') {
    return [{ type: 'setMode', mode: 'default', destination: 'session' }]
  }
  const chosen = suggestionsOf(request).find((_, index) => optionId === `always-${index + 1}`)
  return chosen ? [{ ...chosen, destination: 'session' }] : []
}

function suggestionsOf(request: JsonObject): JsonObject[] {
  return asArray(request.permission_suggestions).flatMap((value): JsonObject[] => {
    const suggestion = asObject(value)
    return suggestion === undefined ? [] : [suggestion]
  })
}

function nameOf(suggestion: JsonObject): string {
  switch (suggestion.type) {
    case 'addRules': {
      const rules = asArray(suggestion.rules).flatMap((value) => {
        const rule = asObject(value)
        const content = asString(rule?.ruleContent)
        return `${asString(rule?.toolName) ?? '?'}${content === undefined ? '' : `(${content})`}`
      })
      return `Allow ${rules.join(', ')} for this session`
    }
    case 'addDirectories': {
      const directories = asArray(suggestion.directories).flatMap((directory) => asString(directory) ?? [])
      return `Allow and add ${directories.join(', ')} to the working directories`
    }
    case 'setMode':
      return suggestion.mode === 'acceptEdits'
        ? 'Allow and accept edits for this session'
        : `Allow and go on in the mode ${asString(suggestion.mode) ?? '?'}`
    default:
      return `Allow for this session (${asString(suggestion.type) ?? '?'})`
  }
}
