import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '@portcullis/contract/unit-protocol/frames'
import type { OutgoingFrames } from './outgoing-frames.ts'
import type { StoredPassage } from './passages-for-units.ts'
import { passagesFrame, type SignedConnection } from './signed-frames.ts'

/** Between two frames: what passes in the meantime goes into the next one. */
const gatherMs = 200

type Options = { connection: SignedConnection; frames: Pick<OutgoingFrames, 'sendAll'>; pauseMs?: number }

/**
 * The passages that wait for one unit, the last of each user and area. The next frame is made when the previous one has left,
 * so a unit that passes many users neither floods the others nor fills the memory for one that reads slowly.
 */
export class PassageQueue {
  readonly #options: Options
  readonly #waiting = new Map<string, StoredPassage>()
  #isSending = false

  constructor(options: Options) {
    this.#options = options
  }

  /** In the order in which they were stored. */
  add(passages: readonly StoredPassage[]) {
    for (const passage of passages) {
      const key = `${passage.area} ${passage.user}`
      this.#waiting.delete(key)
      this.#waiting.set(key, passage)
    }
    if (!this.#isSending) void this.#send()
  }

  async #send() {
    const { frames, pauseMs = gatherMs } = this.#options
    this.#isSending = true
    while (this.#waiting.size > 0) {
      await frames.sendAll(this.#nextFrame())
      await delay(pauseMs, undefined, { ref: false })
    }
    this.#isSending = false
  }

  *#nextFrame() {
    const next = this.#waiting.entries().take(limits.passagesPerFrame).toArray()
    for (const [key] of next) this.#waiting.delete(key)
    const passages = next.map(([, { area, user, direction, at }]) => ({ area, user, direction, at }))
    const upTo = next.at(-1)?.[1].storedAt
    if (upTo !== undefined) yield passagesFrame(this.#options.connection, { passages, upTo })
  }
}
