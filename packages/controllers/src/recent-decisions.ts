import type { Presented, Verdict } from './unit-access.ts'

/** `decision` is undefined while the unit waits for a second person or an approval. */
export type RecentDecision = Pick<Presented, 'door' | 'direction' | 'kind' | 'number'> & {
  /** In epoch milliseconds of this process, whatever the unit's own clock shows. */
  at: number
  decision: Verdict | undefined
}

const maxDecisions = 20

/** The last decisions of a unit, for the page of the virtual controllers. They are lost when the process ends, and have no PINs. */
export class RecentDecisions {
  #newestFirst: RecentDecision[] = []

  /** Shows the attempt at once, and its decision when there is one; returns the decision. */
  async follow({ door, direction, kind, number }: Presented, deciding: Promise<Verdict>) {
    const attempt: RecentDecision = { door, direction, kind, number, at: Date.now(), decision: undefined }
    this.#newestFirst = [attempt, ...this.#newestFirst].slice(0, maxDecisions)
    attempt.decision = await deciding
    return attempt.decision
  }

  list(): readonly RecentDecision[] {
    return this.#newestFirst
  }
}
