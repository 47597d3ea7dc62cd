import type { WhyThen, WhyThenObstacle } from '@portcullis/contract/calls/why-then'
import { decideAccess, type Decision } from '@portcullis/domain/decision/decide-access'
import { type Attempt, gatherFacts, type PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Door } from '@portcullis/domain/policy'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Database, Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { afterwards } from '../history/items-as-of.ts'
import { type AccessEvent, attemptOfEvent, type DecisionEvent, presented, unitReasonOf } from './attempt-of-event.ts'
import { changesSince } from './changes-since.ts'
import { explainFindings } from './decide.ts'
import { type DecisionItems, type PolicyThen, policyThen } from './policy-then.ts'
import { type Scope, pastScope } from './scope.ts'

type WhyThenInput = {
  event: AccessEvent
  access: Access
  /** The policy of the account tree as it is now. */
  current: PolicyIndex
  /** Epoch milliseconds. */
  now: number
}

/** Makes the decision of an event again, with the policy that the controller had applied, and compares it with today. */
export function whyThen(database: Database, { event, access, current, now }: WhyThenInput): Promise<WhyThen> {
  const at = event.occurredAt
  if (!isDecision(event)) return Promise.resolve({ ...unanswered, at, obstacle: obstacleOf(event) })
  const { account, door, unit, credential, user } = event
  const items = { account, door, unit, credential, user, current }
  return database.asSystem(async (tx) => {
    const past = await policyThen(tx, { ...items, at })
    const attempt = attemptOfEvent(event)
    const byServer = decided(past.index, attempt)
    const applied = await appliedBy(tx, { past, items, event, before: at })
    const byUnit = applied === past ? byServer : decided(withModeOf(applied.index, past.door), attempt)
    const isInStep = isSame(byUnit, byServer) || (explains(byServer, event) && !explains(byUnit, event))
    const used = isInStep ? past : applied
    const scope = pastScope({ past: past.index, present: current, access })
    const scopeOfUnit = pastScope({ past: used.index, present: current, access })
    return {
      at,
      obstacle: null,
      historyFrom: await historyFrom(tx, { past, at }),
      decision: shown(isInStep ? byServer : byUnit, scopeOfUnit),
      serverDecision: isInStep ? null : shown(byServer, scope),
      now:
        scope.sees('door', door) && scope.sees('credential', credential) ? decisionNow(current, { event, now }) : null,
      ...(await changesSince(tx, { past: used, now: current, access, scope: scopeOfUnit })),
    }
  })
}

const unanswered = {
  historyFrom: null,
  decision: null,
  serverDecision: null,
  now: null,
  changes: [],
  moreChanges: 0,
} satisfies Partial<WhyThen>

function isDecision(event: AccessEvent): event is DecisionEvent {
  return event.category === 'access' && event.outcome !== null && event.door !== null && event.credential !== null
}

function obstacleOf({ category, outcome, door }: AccessEvent): WhyThenObstacle {
  if (category !== 'access' || outcome === null) return 'no_decision'
  return door === null ? 'no_door' : 'no_credential'
}

function decided(index: PolicyIndex, attempt: Attempt) {
  return decideAccess(gatherFacts(index, attempt))
}

/** The mode of a door is sent ahead of the configuration, and with it the exceptions of its lockdowns. */
function withModeOf(index: PolicyIndex, door: Door | undefined): PolicyIndex {
  const configured = door && index.doors.get(door._id)
  if (!configured) return index
  const { mode, modeUntil = null, lockdowns = [] } = door
  return { ...index, doors: new Map(index.doors).set(door._id, { ...configured, mode, modeUntil, lockdowns }) }
}

function isSame(one: Decision, other: Decision) {
  return one.verdict === other.verdict && one.reason === other.reason
}

/** Whether the controller decided like this. */
function explains(decision: Decision, event: DecisionEvent) {
  if ((decision.verdict === 'grant') !== (event.outcome === 'granted')) return false
  return decision.reason === unitReasonOf(event)
}

function shown({ verdict, reason, findings }: Decision, scope: Scope) {
  return { verdict, reason, findings: explainFindings(findings, scope) }
}

function decisionNow(index: PolicyIndex, { event, now }: { event: DecisionEvent; now: number }) {
  const { door, credential, direction } = event
  const attempt = { ...presented(event), door, credential, direction: direction ?? 'entry', at: now }
  const { verdict, reason } = decided(index, attempt)
  return { verdict, reason, at: new Date(now).toISOString() }
}

type AppliedInput = { past: PolicyThen; items: DecisionItems; event: DecisionEvent; before: string }

/**
 * The policy that the controller had applied: the one before the first change that it had not. A later version whose
 * changes do not concern a controller gives it no new configuration, so this may find changes that it did not need.
 */
async function appliedBy(tx: Transaction, { past, items, event, before }: AppliedInput): Promise<PolicyThen> {
  if (event.policyVersion === null) return past
  const behind = await firstChange(tx, { past, version: event.policyVersion, before })
  if (behind === null) return past
  // Changes of the moment itself count as made.
  const at = new Date(Date.parse(behind) - 1).toISOString()
  return appliedBy(tx, { past: await policyThen(tx, { ...items, at }), items, event, before: at })
}

type FirstChangeInput = { past: PolicyThen; version: number; before: string }

/** When the first change after a version of the policy began; its links are written before its entry. */
async function firstChange(tx: Transaction, { past, version, before }: FirstChangeInput) {
  const isInTime = sql`history_policy_version > ${version} and history_at < ${afterwards(before)}`
  const row = await tx.first(
    z.object({ at: z.iso.datetime().nullable() }),
    prepared(sql`select min(least(history_at, (
          select min(link_history_at) from link_history
           where (link_history_owner = history_item or link_history_target = history_item)
             and link_history_at between history_at - interval '1 minute' and history_at
             and link_history_position = history_position))) as at
          from (select history_at, history_item, history_position from history
                 where history_account = any(${past.accounts}::int[]) and history_item = any(${past.ids}::uuid[]) and ${isInTime}
                union all
                select history_at, history_item, history_position from history
                 where history_account = any(${past.lineage}::int[]) and history_collection = 'holidays' and ${isInTime}) changed`),
  )
  return row?.at ?? null
}

/** When the audit log begins, if that is later than a moment. */
async function historyFrom(tx: Transaction, { past, at }: { past: PolicyThen; at: string }) {
  const row = await tx.first(
    z.object({ first: z.iso.datetime().nullable() }),
    prepared(sql`select min(oldest.at) as first from unnest(${past.lineage}::int[]) as of_door (account), lateral (
          select history_at as at from history where history_account = of_door.account order by history_at limit 1) oldest`),
  )
  return row?.first && row.first > at ? row.first : null
}
