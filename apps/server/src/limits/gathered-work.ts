type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** Does work for many items at once: while some are worked on, the next ones gather. They fail together. */
export class GatheredWork<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #mostAtOnce: number
  #waiting: Waiting<Item, Result>[] = []
  #isWorking = false

  /** `work` returns the results in the order of the items. */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, mostAtOnce: number) {
    this.#work = work
    this.#mostAtOnce = mostAtOnce
  }

  add(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#waiting.push({ item, resolve, reject })
    if (!this.#isWorking) void this.#workOff()
    return promise
  }

  async #workOff() {
    this.#isWorking = true
    while (this.#waiting.length > 0) await this.#workOn(this.#waiting.splice(0, this.#mostAtOnce))
    this.#isWorking = false
  }

  async #workOn(batch: readonly Waiting<Item, Result>[]) {
    try {
      const results = await this.#work(batch.map(({ item }) => item))
      for (const [index, result] of results.entries()) batch[index]?.resolve(result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
