import {
  maxFindings,
  maxUsersNamed,
  type ReviewFinding,
  reviewRules as call,
  type RuleReview,
} from '@portcullis/contract/calls/review-rules'
import { sortInSteps } from '@portcullis/domain/configuration/sort-in-steps'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import { reviewRules, type RuleFinding } from '@portcullis/domain/explore/review-rules'
import { reviewSteps } from '@portcullis/domain/explore/review-steps'
import { usersWithoutAccess } from '@portcullis/domain/explore/users-without-access'
import type { FastifyInstance } from 'fastify'
import type { ServeCall } from '../http/serve-call.ts'
import { Turns } from '../limits/turns.ts'
import type { Policies } from '../policy/policies.ts'
import { runInSlices } from '../time-slices.ts'
import { type Scope, scopeOf } from './scope.ts'

type ReviewOptions = Pick<ServeCall, 'serveCall'> & { policies: Policies; now: () => number }

/** Findings about the rules of the accounts in scope, and their users without access, on the current policy. */
export function registerRuleReview(app: FastifyInstance, { policies, serveCall, now }: ReviewOptions) {
  const turns = new Turns(reviewsOfTree)
  serveCall(app, call, ({ access }) =>
    turns.take(`${access.account.root}`, async () => {
      const { index } = await policies.latestOfAccount(access.account.key)
      return runInSlices(reviewIn(index, { scope: scopeOf(index, access), at: now() }))
    }),
  )
}

const reviewsOfTree = { most: 1, waiting: 4, retryAfterSeconds: 5 } as const

/** Of each part. 5,000 rules and 75,000 users need about 300,000, and a second of processor time. */
const maxSteps = 2_000_000

type Review = { scope: Scope; at: number }

function* reviewIn(index: PolicyIndex, { scope, at }: Review): Generator<undefined, RuleReview> {
  const { accounts } = scope
  const [forRules, forUsers] = [reviewSteps(maxSteps), reviewSteps(maxSteps)]
  const found = yield* reviewRules(index, { accounts, at, steps: forRules })
  const users = yield* namedUsers(yield* usersWithoutAccess(index, { accounts, at, steps: forUsers }), scope)
  const findings = found.flatMap((finding) => presented(index, { finding, scope }))
  return {
    findings: findings.slice(0, maxFindings),
    moreFindings: Math.max(0, findings.length - maxFindings),
    users: { total: users.length, items: users.slice(0, maxUsersNamed) },
    isWhole: !forRules.isSpent() && !forUsers.isSpent(),
  }
}

function* namedUsers(ids: readonly string[], scope: Scope) {
  const users: { _id: string; name: string }[] = []
  for (const id of ids) {
    yield
    const user = scope.personOf(id)
    if (user) users.push({ _id: user._id, name: user.name })
  }
  return yield* sortInSteps(users, (a, b) => compare(a.name, b.name) || compare(a._id, b._id))
}

const { compare } = new Intl.Collator('en')

/** A rule may have been deleted in the meantime. */
function presented(index: PolicyIndex, { finding, scope }: { finding: RuleFinding; scope: Scope }): ReviewFinding[] {
  const { _id, name } = scope.named('rule', finding.rule)
  if (_id === null || name === null) return []
  const about = { kind: finding.kind, rule: { _id, name }, ...noDetails }
  if (finding.kind !== 'never_applies') {
    const denied = finding.kind === 'denied' ? { takes: finding.takes, cardholders: finding.cardholders } : {}
    return [{ ...about, ...denied, other: scope.named('rule', finding.other) }]
  }
  const schedule = index.rules.get(_id)?.schedule ?? null
  const isBlank = finding.reason === 'schedule' && schedule !== null
  return [{ ...about, reason: finding.reason, schedule: isBlank ? scope.named('schedule', schedule) : null }]
}

const noDetails = { other: null, reason: null, schedule: null, takes: null, cardholders: null }
