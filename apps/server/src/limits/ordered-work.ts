/** Work that is done one after the other; work that fails does not stop the work after it. */
export class OrderedWork {
  readonly #onError: (error: unknown) => void
  #last: Promise<unknown> = Promise.resolve()

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  add(work: () => Promise<void>) {
    this.#last = this.#last.then(work).catch(this.#onError)
  }

  /** Work that has begun already; the work after it waits for it too. */
  addAhead(work: Promise<void>) {
    this.#last = Promise.all([this.#last, work.catch(this.#onError)])
  }

  /** When the work that was added so far is done. */
  async done() {
    await this.#last
  }
}
