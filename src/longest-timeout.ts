/** The milliseconds that a timer of Node can wait: it fires at once past this. */
export const longestTimeout = 2 ** 31 - 1
