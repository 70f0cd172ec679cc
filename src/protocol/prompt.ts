/** One piece of what is asked of a CLI. */
export type PromptPart =
  | { type: 'text'; text: string }
  /** `data` is base64. */
  | { type: 'image'; mimeType: string; data: string }
