import type { ServerFrame } from '@portcullis/contract/unit-protocol/frames'

export type CommandFrame = Extract<ServerFrame, { type: 'command' }>

const remembered = 1_000

/**
 * Lets a command through at most once and never late. All times are milliseconds of the unit's monotonic clock. Forgetting
 * the oldest commands is safe: they have long expired by the server's clock.
 */
export class CommandGate {
  readonly #seen = new Set<string>()
  /** Between which values the server's clock is ahead of the unit's: the answer took some time in each direction. */
  #serverAhead: { atLeast: number; atMost: number } | undefined

  /** Measures how far the server's clock is from the unit's. A less exact measurement counts only if it contradicts the last. */
  measure({ sentAt, receivedAt, serverAt }: { sentAt: number; receivedAt: number; serverAt: number }) {
    const [known, measured] = [this.#serverAhead, { atLeast: serverAt - receivedAt, atMost: serverAt - sentAt }]
    const isConfirmed = known && measured.atLeast <= known.atLeast && known.atMost <= measured.atMost
    if (!isConfirmed) this.#serverAhead = measured
  }

  /** How far the server's clock is ahead of the unit's, with half of the round trip each way; undefined if never measured. */
  get serverAhead() {
    return this.#serverAhead && (this.#serverAhead.atLeast + this.#serverAhead.atMost) / 2
  }

  admit(command: CommandFrame, now: number): 'run' | 'expired' | 'repeated' | 'clock_unknown' {
    if (this.#serverAhead === undefined) return 'clock_unknown'
    if (this.#seen.has(command.id)) return 'repeated'
    this.#seen.add(command.id)
    for (const oldest of this.#seen) {
      if (this.#seen.size <= remembered) break
      this.#seen.delete(oldest)
    }
    return this.isLate(command, now) ? 'expired' : 'run'
  }

  /** Also true if the server's clock was never measured. */
  isLate({ at, timeToLiveMs }: Pick<CommandFrame, 'at' | 'timeToLiveMs'>, now: number) {
    if (this.#serverAhead === undefined) return true
    // With the whole round trip: a measurement that took long must not make the command look younger than it is.
    return now + this.#serverAhead.atMost - Date.parse(at) >= timeToLiveMs
  }
}
