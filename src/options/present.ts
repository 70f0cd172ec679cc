/** Without the keys that have no value: an option given as undefined counts as left out. */
export function present<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  // Object.fromEntries forgets which keys there are.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>
  }
}

/** The same of values by name, of which any may have none. */
export function presentValues<Value>(
  values: Readonly<Record<string, Value | undefined>>,
): Record<string, Value> {
  const kept: [string, Value][] = []
  for (const [name, value] of Object.entries(values)) if (value !== undefined) kept.push([name, value])
  return Object.fromEntries(kept)
}
