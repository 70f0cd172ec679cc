import { type Issue, wordsOf } from '../errors.ts'
import type { CallerSchema, Checked } from '../options/caller-schema.ts'
import { issueAt } from '../options/issues.ts'
import { completionError } from '../protocol/ending.ts'
import type { CompletionStatement } from '../protocol/outcome.ts'
import { within } from './within.ts'

const mostIssues = 20

/** A check of the caller's own may wait for something, but no turn may wait for ever. */
const longestCheckMs = 60_000

/**
 * What the CLI said of a turn's end, held against the caller's schema: a success has a `structuredOutput` that fits it, or is no
 * success. Never rejects.
 */
export async function judgeOutput(
  statement: CompletionStatement,
  schema: CallerSchema,
): Promise<CompletionStatement> {
  const { structuredOutput, ...rest } = statement
  if (rest.status !== 'success') return rest
  const answer = structuredOutput === undefined ? readAnswer(statement.text) : { value: structuredOutput }
  const checked = 'value' in answer ? await check(answer.value, schema) : answer
  if ('value' in checked && isJson(checked.value)) return { ...rest, structuredOutput: checked.value }
  return mismatch(rest, 'issues' in checked ? checked.issues : [noJson])
}

const noJson = issueAt([], 'the schema made something of it that JSON cannot say')

/** Events are plain JSON: what a schema's own code made of the answer may be none. */
function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}

async function check(value: unknown, schema: CallerSchema): Promise<Checked> {
  let checked: Checked = {
    issues: [issueAt([], `the schema's own code took longer than ${longestCheckMs / 1_000} s`)],
  }
  const checking = async () => {
    try {
      checked = await schema.check(value)
    } catch (error) {
      checked = { issues: [issueAt([], `the schema's own code failed: ${wordsOf(error)}`)] }
    }
  }
  await within(checking(), longestCheckMs)
  return checked
}

/** JSON alone, or in the only fenced block of the answer. Nothing else is looked for: it would be a guess. */
function readAnswer(text: string): Checked {
  try {
    return { value: JSON.parse(fencedBlock(text) ?? text) }
  } catch {
    const message = text.trim() === '' ? 'the answer is empty' : 'the answer is no JSON'
    return { issues: [issueAt([], message)] }
  }
}

function fencedBlock(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trim())
  const fences = lines.flatMap((line, index) => (line.startsWith('```') ? [index] : []))
  const [first = -1, last = -1] = fences
  const isOneBlock =
    fences.length === 2 && /^```\s*(?:json)?$/i.test(lines[first] ?? '') && lines[last] === '```'
  return isOneBlock ? lines.slice(first + 1, last).join('\n') : undefined
}

function mismatch(
  statement: Omit<CompletionStatement, 'structuredOutput'>,
  issues: readonly Issue[],
): CompletionStatement {
  const shown = issues.slice(0, mostIssues)
  const [first = issueAt([], 'it does not fit')] = shown
  const where = first.path === '' ? '' : ` at ${first.path}`
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  return {
    ...statement,
    status: 'error',
    error: completionError({
      code: 'output_mismatch',
      message: `The answer does not fit outputSchema${where}: ${first.message}${more}`,
      hint: 'Resume the conversation and say what was wrong, or ask for less in `outputSchema`.',
      issues: shown.length > 0 ? shown : [first],
    }),
    evidence: { by: 'host', detail: 'outputSchema' },
  }
}
