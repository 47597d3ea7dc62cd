import { usersOfRule, rulesAtDoor } from '../decision/applying-rules.ts'
import { holderFacts, holderOf } from '../decision/holder-facts.ts'
import type { Credential, Door, Rule, User } from '../policy.ts'
import { membershipKey, type PolicyIndex } from '../decision/policy-index.ts'
import { presentedCredential } from '../decision/presented-credential.ts'
import { siteCalendar } from '../decision/site-calendar.ts'
import type { HolidayDays } from '../time/schedule.ts'
import type { RuleIds, UnitConfig, UnitCredential, UnitDoor, UnitHolder, UnitRule } from './unit-config.ts'
import { dateOfEpochDay, dayMs, type Span } from '../time/zone.ts'

export { decideOnUnit } from './decide-on-unit.ts'
export type { UnitConfig } from './unit-config.ts'

export type CompileUnit = {
  readonly index: PolicyIndex
  /** Id of the unit. */
  readonly unit: string
  /** Epoch milliseconds; only the UTC month counts, so that a compile later in the month gives the same bytes. */
  readonly at: number
  /** The credential key of a number, as the unit will compute it at the reader. */
  readonly hashNumber: (number: string) => string
}

/**
 * Reduces the policy to the data that one controller needs: users whom some allow rule names at one of its doors, and
 * their active credentials. Lost, suspended and revoked cards, suspended users, and anything that ended before the
 * period begins are left out. The same policy in any order gives the same text. A unit that does not exist gets a
 * configuration without doors.
 */
export function compileUnit({ index, unit, at, hashNumber }: CompileUnit): UnitConfig {
  const span = spanOfConfig(at)
  const doors = doorsOnUnit(index, unit)
  const access = accessByUser({ index, doors, span })
  const held = credentialsOf({ index, unit, users: access.keys(), span })
  const memberships = new Map(held.map(({ holder }) => [membershipKey(holder._id, holder.account), holder]))
  const rules = rulesOf(held.map(({ holder }) => access.get(holder._id)))
  return {
    unit,
    inService: index.units.get(unit)?.inService !== false,
    from: dateOfEpochDay(span.from / dayMs),
    until: dateOfEpochDay(span.until / dayMs),
    sites: sitesOf({ index, doors, span }),
    doors: sortedRecord(doors.map(([number, door]) => [number, unitDoor(door)])),
    schedules: schedulesOf(index, rules),
    rules: sortedRecord(rules.map((rule) => [rule._id, unitRule(rule)])),
    holders: sortedRecord(
      [...memberships].map(([key, user]) => [key, unitHolder({ index, user, access: access.get(user._id) })]),
    ),
    credentials: sortedRecord(
      held.map(({ credential, holder }) => [hashNumber(credential.number), unitCredential(credential, holder)]),
    ),
  }
}

// Schedule changes are looked up to eight weeks around an instant, so three years of use need two more months at both
// ends.
const daysBefore = 60
const monthsAhead = 39

/** From 60 days before the month to three years and two months after its end. */
function spanOfConfig(at: number): Span {
  const day = new Date(at)
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()]
  return { from: Date.UTC(year, month) - daysBefore * dayMs, until: Date.UTC(year, month + monthsAhead) }
}

type NumberedDoor = readonly [unitDoor: string, door: Door]

function doorsOnUnit(index: PolicyIndex, unit: string): NumberedDoor[] {
  const doors = new Map<string, Door>()
  if (!index.units.has(unit)) return []
  for (const door of index.doorsOfUnit.get(unit) ?? []) {
    if (door.unitDoor !== null && !doors.has(`${door.unitDoor}`)) doors.set(`${door.unitDoor}`, door)
  }
  return [...doors]
}

type DoorAccess = ReadonlyMap<string, { readonly allow: readonly Rule[]; readonly deny: readonly Rule[] }>

/** The rules by user and door that name both, for users whom at least one allow rule names. */
function accessByUser({ index, doors, span }: { index: PolicyIndex; doors: readonly NumberedDoor[]; span: Span }) {
  const access = new Map<string, Map<string, { allow: Rule[]; deny: Rule[] }>>()
  const allowed = new Set<string>()
  for (const [number, door] of doors) {
    for (const rule of rulesAtDoor(index, door)) {
      if (rule.adhoc !== null && Date.parse(rule.adhoc.until) <= span.from) continue
      for (const user of usersOfRule(index, rule)) {
        const byDoor = access.get(user) ?? new Map<string, { allow: Rule[]; deny: Rule[] }>()
        const atDoor = byDoor.get(number) ?? { allow: [], deny: [] }
        atDoor[rule.effect].push(rule)
        access.set(user, byDoor.set(number, atDoor))
        if (rule.effect === 'allow') allowed.add(user)
      }
    }
  }
  return new Map<string, DoorAccess>([...access].filter(([user]) => allowed.has(user)))
}

type HeldCredential = { readonly credential: Credential; readonly holder: User }
type CredentialsOf = { index: PolicyIndex; unit: string; users: Iterable<string>; span: Span }

function credentialsOf({ index, unit, users, span }: CredentialsOf): HeldCredential[] {
  const account = index.units.get(unit)?.account
  if (account === undefined) return []
  const held: HeldCredential[] = []
  for (const user of users) {
    for (const credential of index.credentialsOfUser.get(user) ?? []) {
      const holder = holderOf(index, credential)
      if (holder === undefined || holder.status !== 'active' || credential.status !== 'active') continue
      if (endedBefore(credential, span) || endedBefore(holder, span)) continue
      // At this unit's readers the number may identify another credential, whose account is nearer.
      if (presentedCredential(index, { account, number: credential.number }) !== credential) continue
      held.push({ credential, holder })
    }
  }
  return held
}

function endedBefore({ validUntil }: { readonly validUntil: string | null }, { from }: Span): boolean {
  return validUntil !== null && Date.parse(validUntil) <= from
}

function rulesOf(access: readonly (DoorAccess | undefined)[]): Rule[] {
  const rules = new Map<string, Rule>()
  for (const byDoor of access) {
    for (const { allow, deny } of byDoor?.values() ?? []) {
      for (const rule of [...allow, ...deny]) rules.set(rule._id, rule)
    }
  }
  return [...rules.values()]
}

function schedulesOf(index: PolicyIndex, rules: readonly Rule[]): UnitConfig['schedules'] {
  const entries = rules.flatMap(({ schedule }) => {
    const table = schedule === null ? null : (index.schedules.get(schedule)?.table ?? null)
    return schedule === null || table === null ? [] : [[schedule, table] as const]
  })
  return sortedRecord(entries)
}

function sitesOf({ index, doors, span }: { index: PolicyIndex; doors: readonly NumberedDoor[]; span: Span }) {
  const sites = new Set(doors.map(([, door]) => index.sites.get(door.site)))
  const entries = [...sites].flatMap((site) => {
    const calendar = site && siteCalendar(index, site, span)
    return site && calendar ? [[site._id, { ...calendar, holidays: withoutNames(calendar.holidays) }] as const] : []
  })
  return sortedRecord(entries)
}

function withoutNames(holidays: HolidayDays): HolidayDays {
  return Object.fromEntries(
    Object.entries(holidays).map(([date, days]) => [date, days.map(({ _id, kind }) => ({ _id, kind }))]),
  )
}

function unitDoor({ directions: { entry, exit }, ...door }: Door): UnitDoor {
  return {
    _id: door._id,
    name: door.name,
    site: door.site,
    enabled: door.enabled,
    mode: door.mode,
    ...(door.modeUntil ? { modeUntil: door.modeUntil } : {}),
    relockAfterSeconds: door.relockAfterSeconds,
    heldOpenAfterSeconds: door.heldOpenAfterSeconds,
    requiresPin: door.requiresPin,
    requiresRemoteAuth: door.requiresRemoteAuth,
    directions: { entry, exit },
  }
}

function unitRule({ effect, direction, adhoc, schedule }: Rule): UnitRule {
  return { effect, direction, adhoc: adhoc && { from: adhoc.from, until: adhoc.until }, schedule }
}

function unitHolder({ index, user, access }: { index: PolicyIndex; user: User; access?: DoorAccess }): UnitHolder {
  const { _id, validFrom, validUntil, recertification } = holderFacts(index, user)
  const doors = [...(access ?? [])].map(([number, { allow, deny }]): [string, RuleIds] => [
    number,
    { allow: sortedIds(allow), deny: sortedIds(deny) },
  ])
  return { user: _id, validFrom, validUntil, recertification, doors: sortedRecord(doors) }
}

function unitCredential({ _id, validFrom, validUntil }: Credential, holder: User): UnitCredential {
  return { _id, holder: membershipKey(holder._id, holder.account), validFrom, validUntil }
}

function sortedIds(rules: readonly Rule[]): string[] {
  return rules.map(({ _id }) => _id).sort()
}

function sortedRecord<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
}
