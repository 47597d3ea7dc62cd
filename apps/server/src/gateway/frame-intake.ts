import { limits } from '@portcullis/contract/unit-protocol/frames'
import { type Rate, TokenBucket } from '../limits/token-bucket.ts'

/** At most this many frames wait to be processed before the socket is paused. */
const maxWaiting = 16

const { eventsPerFrame, frameBytes } = limits

/** Rates in full frames: six a second while a controller sends its log after an outage, for a minute; then one. */
const catchingUp = { burst: 20, perSecond: 6 } as const
const sustained = { burst: 360, perSecond: 1 } as const

/** The shortest pause. The longest is that of 16 full frames at the sustained rate, less than three heartbeats. */
const minPauseMs = 1_000
const reportEveryMs = 60_000

type Paused = { pause: () => void; resume: () => void }

/**
 * Pauses one unit's socket while its frames wait, or while it has exceeded its share of frames, records or bytes. Other
 * units are not affected.
 */
export class FrameIntake {
  readonly #socket: Paused
  readonly #onThrottled: () => void
  readonly #frames = [new TokenBucket({ burst: 1_000, perSecond: 100 })]
  readonly #records = bucketsOf(eventsPerFrame)
  readonly #bytes = bucketsOf(frameBytes)
  #waiting = 0
  #isFull = false
  #throttle: NodeJS.Timeout | undefined
  #reportedAt = Number.NEGATIVE_INFINITY

  /** `onThrottled` is called at most once a minute. */
  constructor(socket: Paused, onThrottled: () => void) {
    this.#socket = socket
    this.#onThrottled = onThrottled
  }

  arrived(bytes: number) {
    this.#waiting++
    if (this.#waiting > maxWaiting) this.#isFull = true
    this.#spend(this.#frames, 1)
    this.#spend(this.#bytes, bytes)
    if (this.#isFull) this.#socket.pause()
  }

  /** Counts the records of a frame, before they are stored. */
  countRecords(records: number) {
    this.#spend(this.#records, records)
  }

  processed() {
    this.#waiting--
    if (this.#waiting === 0) this.#isFull = false
    this.#resume()
  }

  close() {
    clearTimeout(this.#throttle)
  }

  #spend(buckets: readonly TokenBucket[], amount: number) {
    for (const bucket of buckets) bucket.spend(amount)
    if (!this.#throttle && this.#debtMs() > 0) this.#startThrottle()
  }

  #debtMs() {
    return Math.max(...[...this.#frames, ...this.#records, ...this.#bytes].map(({ debtMs }) => debtMs))
  }

  #startThrottle() {
    this.#socket.pause()
    this.#pauseFor(minPauseMs)
    if (performance.now() - this.#reportedAt < reportEveryMs) return
    this.#reportedAt = performance.now()
    this.#onThrottled()
  }

  /** Frames that have arrived before the pause may add to the debt during it. */
  #pauseFor(ms: number) {
    this.#throttle = setTimeout(() => {
      const debtMs = this.#debtMs()
      if (debtMs > 0) return this.#pauseFor(debtMs)
      this.#throttle = undefined
      this.#resume()
    }, ms)
  }

  #resume() {
    if (!this.#isFull && !this.#throttle) this.#socket.resume()
  }
}

function bucketsOf(perFullFrame: number) {
  const inFrames = ({ burst, perSecond }: Rate) =>
    new TokenBucket({ burst: burst * perFullFrame, perSecond: perSecond * perFullFrame })
  return [inFrames(catchingUp), inFrames(sustained)]
}
