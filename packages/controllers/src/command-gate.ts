import type { ServerFrame } from '@portcullis/contract/unit-protocol/frames'

export type CommandFrame = Extract<ServerFrame, { type: 'command' }>

const remembered = 1_000

/**
 * Lets a command through at most once and never late. All times are milliseconds of the unit's monotonic clock. Forgetting
 * the oldest commands is safe: they have long expired by the server's clock.
 */
export class CommandGate {
  readonly #seen = new Set<string>()
  #serverAhead: number | undefined
  #serverAheadAtMost: number | undefined

  /** Measures how far the server's clock is from the unit's, with half of the round trip for each way. */
  measure({ sentAt, receivedAt, serverAt }: { sentAt: number; receivedAt: number; serverAt: number }) {
    this.#serverAhead = serverAt - (sentAt + receivedAt) / 2
    this.#serverAheadAtMost = serverAt - sentAt
  }

  /** How far the server's clock is ahead of the unit's; undefined if it was never measured. */
  get serverAhead() {
    return this.#serverAhead
  }

  admit(command: CommandFrame, now: number): 'run' | 'expired' | 'repeated' | 'clock_unknown' {
    if (this.#serverAheadAtMost === undefined) return 'clock_unknown'
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
    if (this.#serverAheadAtMost === undefined) return true
    // With the whole round trip: a measurement that took long must not make the command look younger than it is.
    return now + this.#serverAheadAtMost - Date.parse(at) >= timeToLiveMs
  }
}
