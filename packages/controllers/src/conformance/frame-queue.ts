type FrameOf<F extends { type: string }, T extends F['type']> = Extract<F, { type: T }>

/** The frames of one connection that no check has taken yet, in the order of their arrival. */
export class FrameQueue<F extends { type: string }> {
  readonly #waiting = new Set<() => void>()
  #frames: F[] = []
  #isClosed = false

  get isClosed() {
    return this.#isClosed
  }

  /** Whether one of this type has arrived that no check has taken. */
  has(type: F['type']) {
    return this.#frames.some((frame) => frame.type === type)
  }

  /** Of too many, the oldest are dropped. */
  add(frame: F) {
    if (this.#frames.push(frame) > mostFrames) this.#frames.shift()
    this.#notify()
  }

  /** No more frames follow; those that have arrived can still be taken. */
  close() {
    this.#isClosed = true
    this.#notify()
  }

  /** The next frame of this type, also one that has arrived already; undefined if none comes in time. */
  async next<T extends F['type']>(type: T, ms: number, fits: (frame: FrameOf<F, T>) => boolean = () => true) {
    const until = performance.now() + ms
    for (;;) {
      const found = this.#frames.find((frame): frame is FrameOf<F, T> => isOf(frame, type) && fits(frame))
      if (found) {
        this.#frames = this.#frames.filter((frame) => frame !== found)
        return found
      }
      const left = until - performance.now()
      if (left <= 0 || this.#isClosed) return undefined
      await this.#change(left)
    }
  }

  /** Whether the connection ends in time. */
  async closes(ms: number) {
    const until = performance.now() + ms
    while (!this.#isClosed && performance.now() < until) await this.#change(until - performance.now())
    return this.#isClosed
  }

  #change(ms: number) {
    return new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.#waiting.add(done)
    })
  }

  #notify() {
    for (const done of this.#waiting) done()
  }
}

const mostFrames = 1_000

function isOf<F extends { type: string }, T extends F['type']>(frame: F, type: T): frame is FrameOf<F, T> {
  return frame.type === type
}
