/** One broken guarantee. */
export interface Breach {
  /** 1 to 9, as the README numbers them; 0: the events themselves are malformed or misnumbered. */
  guarantee: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
  message: string
  /** The event where it broke; absent where the whole list did. */
  seq?: number
}
