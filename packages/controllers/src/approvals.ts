import { randomUUID } from 'node:crypto'
import { limits } from '@portcullis/contract/unit-protocol/frames'
import type { ApprovalOutcome } from '@portcullis/domain/decision/access-facts'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'

type Verdict = { verdict: 'grant' | 'deny'; reason: ReasonCode | null }
type Decide = (approval: ApprovalOutcome) => Verdict

/** The server tells when the time is up; this much later nobody waits for it any more. */
const graceMs = 15_000

/** The people who wait at a unit's readers for an operator. What they are told in the end is decided anew, with the outcome. */
export class Approvals {
  readonly #waiting = new Map<string, (approval: ApprovalOutcome) => Verdict>()

  /** Somebody begins to wait: under which number, and what is decided in the end. */
  open(decide: Decide) {
    const id = randomUUID()
    const { promise: settled, resolve } = Promise.withResolvers<Verdict>()
    const timer = setTimeout(() => this.settle(id, 'timeout'), limits.approvalSeconds * 1_000 + graceMs)
    this.#waiting.set(id, (approval) => {
      clearTimeout(timer)
      const verdict = decide(approval)
      resolve(verdict)
      return verdict
    })
    return { id, settled }
  }

  /** Answers what was decided; undefined where nobody waits under this number. */
  settle(id: string, approval: ApprovalOutcome): Verdict | undefined {
    const settle = this.#waiting.get(id)
    this.#waiting.delete(id)
    return settle?.(approval)
  }

  settleAll(approval: ApprovalOutcome) {
    for (const id of this.#waiting.keys()) this.settle(id, approval)
  }
}
