import {
  accessOfDoors,
  accessOfUsers,
  type AccessRow,
  maxRulesOfRow,
  type RuleOfRow,
} from '@portcullis/contract/calls/access-views'
import { doorInPolicy } from '@portcullis/domain/decision/door-in-policy'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { LeftOutByUnit } from '@portcullis/domain/decision/left-out'
import { subjectKey } from '@portcullis/domain/decision/policy-index'
import { openNowCounter } from '@portcullis/domain/explore/open-now'
import { reviewSteps } from '@portcullis/domain/explore/review-steps'
import type { Door, Rule, Where, Who } from '@portcullis/domain/policy'
import type { FastifyInstance } from 'fastify'
import type { Access } from '../abilities/access.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { Turns } from '../limits/turns.ts'
import type { Policies } from '../policy/policies.ts'
import { runInSlices } from '../time-slices.ts'
import { iso, viaKinds } from './access-row.ts'
import { type Scope, scopeOf } from './scope.ts'

type AccessViewsOptions = Pick<ServeCall, 'serveCall'> & {
  policies: Policies
  leftOutEverywhere: (index: PolicyIndex) => Promise<LeftOutByUnit>
  minuteOf: (at: string | undefined) => number
}

/** The rules of the users or doors of a page, with the numbers that they open now. */
export function registerAccessViews(
  app: FastifyInstance,
  { policies, serveCall, leftOutEverywhere, minuteOf }: AccessViewsOptions,
) {
  const turns = new Turns(viewsOfTree)

  serveCall(app, accessOfUsers, ({ access, query: { users, at } }) =>
    viewed({ access, at, rowsIn: (page) => rowsOf(users, (id) => userRow(page, id)) }),
  )

  serveCall(app, accessOfDoors, ({ access, query: { doors, at } }) =>
    viewed({ access, at, rowsIn: (page) => rowsOf(doors, (id) => doorRow(page, id)) }),
  )

  function viewed({ access, at: given, rowsIn }: Viewed) {
    return turns.take(`${access.account.root}`, async () => {
      const { index } = await policies.latestOfAccount(access.account.key)
      const at = minuteOf(given)
      const page = pageIn(index, { access, at, leftOut: await leftOutEverywhere(index) })
      return { at: iso(at), items: await runInSlices(rowsIn(page)) }
    })
  }
}

type Viewed = {
  access: Access
  at: string | undefined
  rowsIn: (page: Page) => Generator<undefined, AccessRow[]>
}

const viewsOfTree = { most: 2, waiting: 20, retryAfterSeconds: 2 } as const

/** Of one request: about a second of processor time. */
const maxSteps = 1_500_000

type Page = ReturnType<typeof pageIn>
type PageInput = { access: Access; at: number; leftOut: LeftOutByUnit }

function pageIn(index: PolicyIndex, { access, at, leftOut }: PageInput) {
  const scope = scopeOf(index, access)
  const { accounts } = scope
  const counter = openNowCounter(index, {
    at,
    leftOut,
    steps: reviewSteps(maxSteps),
    seesUser: (id) => index.membershipsOfUser.get(id)?.some(({ account }) => accounts.has(account)) ?? false,
    seesDoor: ({ account }) => accounts.has(account),
  })
  return { index, scope, counter, heeded: new Set([...accounts, ...index.lineageOf(access.account._id)]) }
}

function* rowsOf(ids: readonly string[], rowOf: (id: string) => Generator<undefined, AccessRow | undefined>) {
  const rows: AccessRow[] = []
  for (const id of new Set(ids)) {
    yield
    const row = yield* rowOf(id)
    if (row) rows.push(row)
  }
  return rows
}

/** Rules of other accounts, which are neither in scope nor above, are left out. */
function* userRow({ index, scope, counter, heeded }: Page, id: string): Generator<undefined, AccessRow | undefined> {
  if (!scope.sees('user', id)) return undefined
  const groups = (index.userGroups.groupsOf.get(id) ?? []).map((group) => ({ kind: 'User Group', id: group }) as const)
  const found = new Map<Rule, RuleOfRow>()
  for (const who of [{ kind: 'User', id } as const, ...groups]) {
    for (const rule of index.rulesByWho.get(subjectKey(who)) ?? []) {
      if (found.has(rule) || !heeded.has(rule.account)) continue
      const [first] = rule.where
      const places = { who: namedIn(scope, who), where: first ? namedIn(scope, first) : null }
      found.set(rule, { ...ruleRow(rule, scope), ...places, more: Math.max(0, rule.where.length - 1) })
    }
  }
  return { _id: id, ...shownRules(found), openNow: yield* counter.doorsOf(id) }
}

function* doorRow({ index, scope, counter }: Page, id: string): Generator<undefined, AccessRow | undefined> {
  const door = scope.sees('door', id) ? index.doors.get(id) : undefined
  if (!door) return undefined
  return { _id: id, ...shownRules(rulesOfDoor(index, { door, scope })), openNow: yield* counter.usersAt(door) }
}

function rulesOfDoor(index: PolicyIndex, { door, scope }: { door: Door; scope: Scope }) {
  const { subjects, lineage } = doorInPolicy(index, door)
  const found = new Map<Rule, RuleOfRow>()
  for (const { where, rules } of subjects) {
    for (const rule of rules) {
      if (found.has(rule) || !lineage.includes(rule.account)) continue
      const [first] = rule.who
      const names = { who: first ? namedIn(scope, first) : null, where: namedIn(scope, { ...where, id: where._id }) }
      found.set(rule, { ...ruleRow(rule, scope), ...names, more: Math.max(0, rule.who.length - 1) })
    }
  }
  return found
}

function namedIn<S extends Who | Where>(scope: Scope, { kind, id }: S): Pick<S, 'kind'> & ReturnType<Scope['named']> {
  return { kind, ...scope.named(viaKinds[kind], id) }
}

function ruleRow({ _id, effect, direction, adhoc, schedule }: Rule, scope: Scope) {
  const when = schedule === null ? null : scope.named('schedule', schedule)
  return { ...scope.named('rule', _id), effect, direction, adhoc, schedule: when }
}

function shownRules(found: ReadonlyMap<Rule, RuleOfRow>) {
  const rules = [...found.values()].sort(
    (a, b) => compare(a.effect, b.effect) || compare(a.name ?? '', b.name ?? '') || compare(a._id ?? '', b._id ?? ''),
  )
  return { rules: rules.slice(0, maxRulesOfRow), moreRules: Math.max(0, rules.length - maxRulesOfRow) }
}

const { compare } = new Intl.Collator('en')
