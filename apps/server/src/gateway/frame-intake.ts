/** At most this many frames wait to be processed before the socket is paused. */
const maxWaiting = 16

/** Far more than a controller sends while it catches up after an outage. */
const rate = { burst: 1_000, perSecond: 100 } as const

type Paused = { pause: () => void; resume: () => void }

/** Pauses one unit's socket while its frames wait, or while it has exceeded its share. Other units are not affected. */
export class FrameIntake {
  readonly #socket: Paused
  readonly #onThrottled: () => void
  #waiting = 0
  #isFull = false
  #budget: number = rate.burst
  #refilledAt = performance.now()
  #throttle: NodeJS.Timeout | undefined

  constructor(socket: Paused, onThrottled: () => void) {
    this.#socket = socket
    this.#onThrottled = onThrottled
  }

  arrived() {
    this.#waiting++
    this.#refill()
    this.#budget--
    if (this.#waiting > maxWaiting) this.#isFull = true
    if (this.#budget < 0 && !this.#throttle) this.#startThrottle()
    if (this.#isFull || this.#throttle) this.#socket.pause()
  }

  processed() {
    this.#waiting--
    if (this.#waiting === 0) this.#isFull = false
    this.#resume()
  }

  close() {
    clearTimeout(this.#throttle)
  }

  #startThrottle() {
    this.#onThrottled()
    this.#throttle = setTimeout(() => {
      this.#throttle = undefined
      this.#resume()
    }, 1_000)
  }

  #resume() {
    if (!this.#isFull && !this.#throttle) this.#socket.resume()
  }

  #refill() {
    const now = performance.now()
    this.#budget = Math.min(rate.burst, this.#budget + ((now - this.#refilledAt) / 1_000) * rate.perSecond)
    this.#refilledAt = now
  }
}
