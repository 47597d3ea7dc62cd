import type { AccessFacts } from '../decision/access-facts.ts'
import { type Decision, decideAccess } from '../decision/decide-access.ts'
import { type Attempt, gatherFacts } from '../decision/gather-facts.ts'
import { presentableAt, readersOf } from './openings.ts'
import type { Credential, Direction, Door } from '../policy.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import { reasonCodes } from '../decision/reasons.ts'

/** A what-if question: who is at which door, in which direction, and when (epoch milliseconds). */
export type AccessQuestion = {
  readonly door: Door
  readonly direction: Direction
  readonly at: number
  /** A user with any of their credentials, or a credential number as a reader reads it. */
  readonly who: { readonly user: string } | { readonly number: string }
}

export type ExploredAccess = {
  /** The credential that this result is for; absent if no known credential is presented. */
  readonly credential?: Credential
  readonly facts: AccessFacts
  readonly decision: Decision
}

/**
 * Answers what-if questions with the decision itself. The first result is the best one; the others are for the user's
 * other credentials.
 */
export function exploreAccess(
  index: PolicyIndex,
  { who, door, direction, at }: AccessQuestion,
): readonly [ExploredAccess, ...ExploredAccess[]] {
  const attempt = { door: door._id, direction, at }
  if ('number' in who) return [explored(index, { ...attempt, credentialNumber: who.number })]
  const [first, ...others] = presentableAt(index, { user: who.user, door })
    .map(({ _id }) => explored(index, { ...attempt, credential: _id }))
    .sort(bestFirst)
  return first === undefined ? [explored(index, { ...attempt, user: who.user })] : [first, ...others]
}

/** A user's best result at any reader of a door at an instant; among refusals the one closest to a grant. */
export function bestAtDoor(
  index: PolicyIndex,
  { user, door, at }: { user: string; door: Door; at: number },
): ExploredAccess {
  const readers = readersOf(door)
  const directions = readers.length === 0 ? (['entry'] as const) : readers
  const [best] = directions
    .map((direction) => exploreAccess(index, { who: { user }, door, direction, at })[0])
    .sort(bestFirst)
  return best ?? exploreAccess(index, { who: { user }, door, direction: 'entry', at })[0]
}

function explored(index: PolicyIndex, attempt: Attempt): ExploredAccess {
  const facts = gatherFacts(index, attempt)
  const credential = facts.credential && index.credentials.get(facts.credential._id)
  return { facts, decision: decideAccess(facts), ...(credential ? { credential } : {}) }
}

function bestFirst({ decision: a }: ExploredAccess, { decision: b }: ExploredAccess): number {
  return verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict) || nearness(b) - nearness(a)
}

const verdictOrder: readonly Decision['verdict'][] = ['grant', 'needs_pin', 'needs_approval', 'deny']

/** Reasons are in the order of the checks: the later the refusal, the closer to a grant. */
function nearness({ reason }: Decision): number {
  return reason === null ? reasonCodes.length : reasonCodes.indexOf(reason)
}
