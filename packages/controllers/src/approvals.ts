import { randomUUID } from 'node:crypto'
import { limits } from '@portcullis/contract/unit-protocol/frames'
import type { ApprovalOutcome, InterlockOutcome } from '@portcullis/domain/decision/access-facts'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'

type Verdict = { verdict: 'grant' | 'deny'; reason: ReasonCode | null }
type Decide = (approval: ApprovalOutcome, sharedInterlock?: InterlockOutcome) => Verdict

/** The server reports when the time is up; this much later the unit stops waiting by itself. */
const graceMs = 15_000

/** The users who wait at a unit's readers for an operator. Access is decided again with the outcome. */
export class Approvals {
  readonly #waiting = new Map<string, Decide>()

  /** A user begins to wait: the number of the request, and the decision in the end. */
  open(decide: Decide) {
    const id = randomUUID()
    const { promise: settled, resolve } = Promise.withResolvers<Verdict>()
    const timer = setTimeout(() => this.settle(id, 'timeout'), limits.approvalSeconds * 1_000 + graceMs)
    this.#waiting.set(id, (...outcomes) => {
      clearTimeout(timer)
      const verdict = decide(...outcomes)
      resolve(verdict)
      return verdict
    })
    return { id, settled }
  }

  /** Returns the decision; undefined if no user waits under this number. */
  settle(id: string, ...outcomes: Parameters<Decide>): Verdict | undefined {
    const settle = this.#waiting.get(id)
    this.#waiting.delete(id)
    return settle?.(...outcomes)
  }

  settleAll(approval: ApprovalOutcome) {
    for (const id of this.#waiting.keys()) this.settle(id, approval)
  }
}
