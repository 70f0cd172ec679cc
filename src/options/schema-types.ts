/** What a schema library of the Standard JSON Schema kind (zod 4) makes, whichever copy of it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** As plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A Standard JSON Schema object, or a JSON Schema as it is. */
export type Schema = StandardSchema | JsonSchema

/** What an answer that fits the schema is: `undefined` without one, unknown where the schema has no types. */
export type OutputOf<S> = [S] extends [never]
  ? undefined
  : S extends StandardSchema<infer _Input, infer Output>
    ? Output
    : unknown
