/**
 * Half of a surrogate pair, as a cut text has it, becomes U+FFFD: codex cannot read such JSON, and closes its connection to the
 * bridge over it (0.171.0).
 */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd')
}
