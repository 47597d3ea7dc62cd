import type { AccessRule, OpeningState } from '@portcullis/contract/calls/explorer'
import type { LeftOutByUnit } from '@portcullis/domain/decision/left-out'
import { bestAtDoor } from '@portcullis/domain/explore/explore-access'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import { appliesAtReader, type Opening, openingsAtDoor, readersOf } from '@portcullis/domain/explore/openings'
import type { PresentableFinder } from '@portcullis/domain/explore/presentable'
import { type Door, ruleDirections } from '@portcullis/domain/policy'
import { rulesForUserAtDoor } from '@portcullis/domain/decision/applying-rules'
import type { ApplyingRule } from '@portcullis/domain/decision/door-in-policy'
import type { Entry } from './access-entries.ts'
import type { Kind, Scope } from './scope.ts'

type AccessRowInput = {
  user: string
  door: Door
  at: number
  entry: Entry
  scope: Scope
  leftOut: LeftOutByUnit
  presentable: PresentableFinder
}

/** The access of one user at one door. */
export function* accessRow(index: PolicyIndex, { entry, scope, ...input }: AccessRowInput) {
  const { user, door, presentable } = input
  const { verdict, reason } = (yield* bestAtDoor(index, input)).decision
  const state: OpeningState = entry.state
  const rules: AccessRule[] = accessRules(index, { user, door, scope })
  const openings = yield* openingsAtDoor(index, input)
  const opens = openings.map(({ direction, opening }) => ({ direction, span: spanOf(opening) }))
  const { count: credentials } = yield* presentable({ user, door })
  return { _id: entry.id, state, verdict, reason, credentials, noRoom: entry.noRoom, opens, rules }
}

/** A door with its site and the time zone of its schedules. */
export function doorRow({ sites }: PolicyIndex, { door, scope }: { door: Door; scope: Scope }) {
  const { _id, name, account, site } = door
  const timeZone = sites.get(site)?.timeZone ?? null
  return { _id, name, account, readers: readersOf(door), site: { ...scope.named('site', site), timeZone } }
}

function spanOf(opening: Opening | null) {
  return opening && { from: iso(opening.from), until: opening.until === null ? null : iso(opening.until) }
}

export function iso(at: number) {
  return new Date(at).toISOString()
}

type AccessRulesInput = { user: string; door: Door; scope: Scope }

/** The rules that refer to a user and to a door at one of its readers; allowing rules come first. */
function accessRules(index: PolicyIndex, { user, door, scope }: AccessRulesInput): AccessRule[] {
  const rules = rulesForUserAtDoor(index, { user, door })
    .filter(({ rule }) => appliesAtReader(rule, door))
    .map((applying) => accessRule(index, { ...applying, scope }))
  const places = (rule: AccessRule) => `${rule.effect} ${ruleDirections.indexOf(rule.direction)} ${rule.name ?? ''}`
  return rules.toSorted((a, b) => (places(a) < places(b) ? -1 : 1))
}

function accessRule(index: PolicyIndex, { rule, via, scope }: ApplyingRule & { scope: Scope }): AccessRule {
  const { effect, direction, adhoc, schedule } = rule
  return {
    ...scope.named('rule', rule._id),
    effect,
    direction,
    adhoc,
    schedule: schedule === null ? null : { ...scope.named('schedule', schedule), windows: windowsOf(index, schedule) },
    who: { kind: via.who.kind, ...scope.named(viaKinds[via.who.kind], via.who._id) },
    where: { kind: via.where.kind, ...scope.named(viaKinds[via.where.kind], via.where._id) },
  }
}

function windowsOf({ storedSchedules, schedules }: PolicyIndex, id: string) {
  if (schedules.get(id)?.table == null) return null
  return storedSchedules.get(id)?.windows.map(({ days, start, end }) => ({ days: [...days], start, end })) ?? null
}

/** The kind of item that each end of a rule can name. */
export const viaKinds = {
  User: 'user',
  'User Group': 'userGroup',
  Door: 'door',
  Site: 'site',
  'Door Group': 'doorGroup',
  'Site Group': 'siteGroup',
} as const satisfies Record<string, Kind>
