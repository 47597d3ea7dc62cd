import type { AccessFacts } from '../decision/access-facts.ts'
import { type Decision, decideAccess } from '../decision/decide-access.ts'
import { type Attempt, gatherFacts } from '../decision/gather-facts.ts'
import { readersOf } from './openings.ts'
import { type PresentableFinder, presentableFinder } from './presentable.ts'
import type { Credential, Direction, Door } from '../policy.ts'
import { type LeftOutByUnit, nothingLeftOut } from '../decision/left-out.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import { reasonCodes } from '../decision/reasons.ts'

/** A what-if question: who is at which door, in which direction, and when (epoch milliseconds). */
export type AccessQuestion = {
  readonly door: Door
  readonly direction: Direction
  readonly at: number
  /** A user with any of their credentials, or a credential number as a reader reads it. */
  readonly who: { readonly user: string } | { readonly number: string }
  /** What the units have no room for; absent: everything fits. */
  readonly leftOut?: LeftOutByUnit
}

export type ExploredAccess = {
  /** The credential that this result is for; absent if no known credential is presented. */
  readonly credential?: Credential
  readonly facts: AccessFacts
  readonly decision: Decision
}

export type Exploration = {
  readonly best: ExploredAccess
  /** The user's other credentials, best first, in lists with the same result. */
  readonly others: readonly { readonly credentials: readonly Credential[]; readonly decision: Decision }[]
}

/**
 * Answers what-if questions with the decision itself, in short steps: the user may have thousands of credentials.
 */
export function* exploreAccess(
  index: PolicyIndex,
  question: AccessQuestion & { readonly presentable?: PresentableFinder },
): Generator<undefined, Exploration> {
  const { who, door, direction, at, leftOut = nothingLeftOut } = question
  const { presentable = presentableFinder(index, at, leftOut) } = question
  const attempt = { door: door._id, direction, at, leftOut: leftOut.get(door.unit ?? '') }
  if ('number' in who) return { best: explored(index, { ...attempt, credentialNumber: who.number }), others: [] }
  const { alike } = yield* presentable({ user: who.user, door })
  const [first, ...others] = alike
    .flatMap(([credential, ...same]) =>
      credential ? [{ same, ...explored(index, { ...attempt, credential: credential._id }), credential }] : [],
    )
    .sort(bestFirst)
  if (first === undefined) return { best: explored(index, { ...attempt, user: who.user }), others: [] }
  const { same, ...best } = first
  return {
    best,
    others: [
      { credentials: same, decision: best.decision },
      ...others.map(({ credential, decision, ...other }) => ({ credentials: [credential, ...other.same], decision })),
    ],
  }
}

type BestAtDoor = {
  user: string
  door: Door
  at: number
  leftOut?: LeftOutByUnit
  presentable?: PresentableFinder
}

/** A user's best result at any reader of a door at an instant; among refusals the one closest to a grant. */
export function* bestAtDoor(
  index: PolicyIndex,
  { user, door, at, leftOut = nothingLeftOut, presentable = presentableFinder(index, at, leftOut) }: BestAtDoor,
): Generator<undefined, ExploredAccess> {
  const [first = 'entry', ...rest] = readersOf(door)
  const question = { who: { user }, door, at, leftOut, presentable }
  let { best } = yield* exploreAccess(index, { ...question, direction: first })
  for (const direction of rest) {
    const other = yield* exploreAccess(index, { ...question, direction })
    if (bestFirst(other.best, best) < 0) best = other.best
  }
  return best
}

function explored(index: PolicyIndex, attempt: Attempt): ExploredAccess {
  const facts = gatherFacts(index, attempt)
  const credential = facts.credential && index.credentials.get(facts.credential._id)
  return { facts, decision: decideAccess(facts), ...(credential ? { credential } : {}) }
}

function bestFirst({ decision: a }: ExploredAccess, { decision: b }: ExploredAccess): number {
  return verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict) || nearness(b) - nearness(a)
}

const verdictOrder: readonly Decision['verdict'][] = [
  'grant',
  'needs_pin',
  'needs_second_person',
  'needs_approval',
  'deny',
]

/** Reasons are in the order of the checks: the later the refusal, the closer to a grant. */
function nearness({ reason }: Decision): number {
  return reason === null ? reasonCodes.length : reasonCodes.indexOf(reason)
}
