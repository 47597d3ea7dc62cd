import type { AccessFacts } from '../decision/access-facts.ts'
import { type Decision, decideAccess } from '../decision/decide-access.ts'
import { type Attempt, gatherFacts } from '../decision/gather-facts.ts'
import { presentableAt, readersOf } from './openings.ts'
import type { Credential, Direction, Door } from '../policy.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import { reasonCodes } from '../decision/reasons.ts'

/** What would happen: who or what is presented at a door, in which direction, when (epoch milliseconds). */
export type AccessQuestion = {
  readonly door: Door
  readonly direction: Direction
  readonly at: number
  /** A person with whatever they hold, a credential by its number as a reader reads it. */
  readonly who: { readonly user: string } | { readonly number: string }
}

export type ExploredAccess = {
  /** What the person would best present; absent where nothing is known to be presented. */
  readonly credential?: Credential
  readonly facts: AccessFacts
  readonly decision: Decision
}

/**
 * Answers what-if questions by the decision itself: the answer that comes first is the best one, the others are those to what
 * else the person holds.
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

/** The best that a person gets at a door at an instant, at any of its readers; of refusals the one that came closest to a grant. */
export function bestAtDoor(
  index: PolicyIndex,
  { user, door, at }: { user: string; door: Door; at: number },
): ExploredAccess {
  const readers = readersOf(door)
  const asked = readers.length === 0 ? (['entry'] as const) : readers
  const [best] = asked
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

/** Reasons stand in the order in which a decision asks: the later it refuses, the nearer it was. */
function nearness({ reason }: Decision): number {
  return reason === null ? reasonCodes.length : reasonCodes.indexOf(reason)
}
