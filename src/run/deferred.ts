/** A promise that someone else settles. (Promise.withResolvers is not in Node 20.) */
export class Deferred<Value> {
  readonly promise: Promise<Value>
  resolve: (value: Value | PromiseLike<Value>) => void = () => {}
  reject: (reason: unknown) => void = () => {}

  constructor() {
    this.promise = new Promise<Value>((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    // Who needs it hears of a failure; nobody else is hurt by it.
    this.promise.catch(() => {})
  }
}
