import { AppError } from '../errors/app-error.ts'

type FairTurnsOptions = {
  /** How much work runs at the same time in all, and how much of one key runs and waits. */
  most: number
  ofKey: number
}

/** `signal`: work that is aborted before its turn does not begin. */
type Turn = { key: string; signal?: AbortSignal | undefined }

type Line = { running: number; waiting: (() => void)[] }

/**
 * Limits work in all. When a turn ends, the next is that of the key with the least running work, so that a key with much
 * work delays only its own. Beyond `ofKey`: `too_many`.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions
  readonly #lines = new Map<string, Line>()
  #running = 0

  constructor(options: FairTurnsOptions) {
    this.#options = options
  }

  async take<T>({ key, signal }: Turn, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] }
    if (line.running + line.waiting.length >= this.#options.ofKey) {
      throw new AppError('too_many', {}, { retryAfterSeconds: 10 })
    }
    this.#lines.set(key, line)
    if (this.#running < this.#options.most) this.#begin(line)
    else await this.#turnIn(line)
    try {
      signal?.throwIfAborted()
      return await work()
    } finally {
      this.#running -= 1
      line.running -= 1
      // The key moves behind all others.
      this.#lines.delete(key)
      if (line.running + line.waiting.length > 0) this.#lines.set(key, line)
      this.#next()
    }
  }

  #begin(line: Line) {
    this.#running += 1
    line.running += 1
  }

  #turnIn(line: Line) {
    const { promise, resolve } = Promise.withResolvers<void>()
    line.waiting.push(resolve)
    return promise
  }

  #next() {
    const [line] = [...this.#lines.values()]
      .filter(({ waiting }) => waiting.length > 0)
      .sort((one, other) => one.running - other.running)
    const resolve = line?.waiting.shift()
    if (!line || !resolve) return
    this.#begin(line)
    resolve()
  }
}
