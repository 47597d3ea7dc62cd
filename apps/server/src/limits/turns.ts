import { AppError } from '../errors/app-error.ts'

type TurnsOptions = {
  /** How much work of one key runs at the same time, and how much more waits, in order. */
  most: number
  waiting: number
  /** When refused work may be tried again. */
  retryAfterSeconds?: number
}

type Line = { running: number; waiting: (() => void)[] }

/** Limits the work of each key, such as a user, so that the work of others is not delayed. Beyond both limits: `too_many`. */
export class Turns {
  readonly #options: TurnsOptions
  readonly #lines = new Map<string, Line>()

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const { most, waiting, retryAfterSeconds = 1 } = this.#options
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] }
    this.#lines.set(key, line)
    if (line.running < most) line.running += 1
    else if (line.waiting.length < waiting) await waitIn(line)
    else throw new AppError('too_many', {}, { retryAfterSeconds })
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      if (next) next()
      else line.running -= 1
      if (line.running === 0) this.#lines.delete(key)
    }
  }
}

/** Resolves when the turn of earlier work is handed on. */
function waitIn(line: Line) {
  const { promise, resolve } = Promise.withResolvers<void>()
  line.waiting.push(resolve)
  return promise
}

/** Whether work was refused a turn, and so has not begun. */
export function isTurnRefused(error: unknown) {
  return error instanceof AppError && error.code === 'too_many'
}
