import { asString } from '../../protocol/narrow.ts'

/** What 1.0.124 puts in the place of an answer that is blank: none of the model's words. */
const placeholder = '(no content)'

/** A text as the model said it. */
export function wordsOf(text: unknown): string {
  const said = asString(text) ?? ''
  return said === placeholder ? '' : said
}
