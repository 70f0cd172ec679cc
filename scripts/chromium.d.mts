/** What to say where none is found. */
export const noChromium: string
/** The path of an executable Chromium or Chrome. `COXSWAIN_CHROMIUM` names another than the one that is found. */
export function findChromium(environment?: Record<string, string | undefined>): string | undefined
