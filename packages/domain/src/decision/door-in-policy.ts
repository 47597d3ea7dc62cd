import type { DoorFacts, SiteCalendar } from './access-facts.ts'
import { doorConditions } from './door-conditions.ts'
import { present, ref, type RuleVia } from './finding.ts'
import type { Door, DoorMode, Rule, WhereKind, Who } from '../policy.ts'
import { type GroupIndex, type NamedGroup, type PolicyIndex, subjectKey } from './policy-index.ts'
import { type CalendarOfYear, calendarAround } from './site-calendar.ts'

/**
 * The parts of a decision that depend on the door alone. They are computed when a decision first needs them, and again
 * after a change of anything but users, their credentials and the members of their groups.
 */
export type DoorInPolicy = {
  /** The account itself and those above it, whose rules apply at the door. */
  readonly lineage: readonly string[]
  /** The most direct first. */
  readonly subjects: readonly DoorSubject[]
  /** The users that its rules name, then the groups by id. Undefined if there are more than a few. */
  readonly names: readonly NameAtDoor[] | undefined
  /** A reader belongs to the unit that it is wired to. */
  readonly accountOfReader: string
  /** Only those that were needed. */
  readonly factsByMode: { [Mode in DoorMode]?: DoorFacts }
  /** Of the site, for the last year that was needed. */
  calendar: CalendarOfYear | undefined
}

/** A subject by which rules name a door, and its enabled rules by id: the list of the index. */
export type DoorSubject = { readonly where: RuleVia['where']; readonly key: string; readonly rules: readonly Rule[] }

/** An enabled rule that names a user and a door, with the most direct subjects through which it does. */
export type ApplyingRule = { readonly rule: Rule; readonly via: RuleVia }

/** A user or a group of users whom rules name at a door, and these rules by id. */
export type NameAtDoor = {
  readonly who: RuleVia['who']
  /** Of a group: the set of the index. */
  readonly members: ReadonlySet<string> | undefined
  readonly rules: readonly ApplyingRule[]
}

export function doorInPolicy(index: PolicyIndex, door: Door): DoorInPolicy {
  const known = index.computed.doors.get(door)
  if (known !== undefined) return known
  const lineage = index.lineageOf(door.account)
  const subjects = whereSubjectsOf(index, door).map((where) => {
    const key = subjectKey({ kind: where.kind, id: where._id })
    return { where, key, rules: index.rulesByWhere.get(key) ?? [] }
  })
  const computed: DoorInPolicy = {
    lineage,
    subjects,
    names: namesAtDoor(index, subjects, lineage),
    accountOfReader: (door.unit === null ? undefined : index.units.get(door.unit)?.account) ?? door.account,
    factsByMode: {},
    calendar: undefined,
  }
  index.computed.doors.set(door, computed)
  return computed
}

/** More, counted for each rule, would take memory at each of many doors, and longer than to read the rules of the user. */
const mostNames = 32

function namesAtDoor(index: PolicyIndex, subjects: readonly DoorSubject[], lineage: readonly string[]) {
  let count = 0
  const rulesOf = new Map<string, { who: RuleVia['who']; rules: Map<Rule, ApplyingRule> }>()
  for (const { where, rules } of subjects) {
    for (const rule of rules) {
      if (!lineage.includes(rule.account)) continue
      for (const subject of rule.who) {
        if (++count > mostNames) return undefined
        const key = subjectKey(subject)
        const who = rulesOf.get(key)?.who ?? whoNamed(index, subject)
        if (who === undefined) continue
        const named = rulesOf.get(key) ?? { who, rules: new Map() }
        rulesOf.set(key, named)
        // The first place that names the door is the most direct one.
        if (!named.rules.has(rule)) named.rules.set(rule, { rule, via: { who, where } })
      }
    }
  }
  return [...rulesOf.values()]
    .sort((a, b) => usersFirst(a.who, b.who))
    .map(({ who, rules }) => ({
      who,
      members: who.kind === 'User' ? undefined : index.userGroups.members.get(who._id),
      rules: [...rules.values()].sort((a, b) => (a.rule._id < b.rule._id ? -1 : 1)),
    }))
}

function whoNamed({ userGroups }: PolicyIndex, { kind, id }: Who): RuleVia['who'] | undefined {
  if (kind === 'User') return { kind, _id: id }
  const group = userGroups.groups.get(id)
  return group && { kind, _id: id, name: group.name }
}

function usersFirst(a: RuleVia['who'], b: RuleVia['who']) {
  if (a.kind !== b.kind) return a.kind === 'User' ? -1 : 1
  return a._id < b._id ? -1 : 1
}

/** The facts about a door for a decision. */
export function doorFacts(index: PolicyIndex, door: Door, mode: DoorMode): DoorFacts {
  const { factsByMode } = doorInPolicy(index, door)
  return (factsByMode[mode] ??= factsInMode(index, door, mode))
}

/** The calendar of a door's site around an instant; undefined without a site, or if its zone does not exist. */
export function calendarOfDoor(index: PolicyIndex, door: Door, at: number): SiteCalendar | undefined {
  const computed = doorInPolicy(index, door)
  const { calendar } = computed
  if (calendar !== undefined && calendar.from <= at && at < calendar.until) return calendar.calendar
  const site = index.sites.get(door.site)
  if (site === undefined) return undefined
  computed.calendar = calendarAround(index, site, at)
  return computed.calendar.calendar
}

function factsInMode(index: PolicyIndex, door: Door, mode: DoorMode): DoorFacts {
  const { _id, name, enabled, requiresPin, acceptsPinAlone, requiresTwoPersons, requiresRemoteAuth } = door
  const unit = door.unit === null ? undefined : index.units.get(door.unit)
  const { lockdowns = [] } = door
  return present({
    _id,
    name,
    enabled,
    unitInService: unit !== undefined && door.unitDoor !== null && unit.inService !== false,
    unit: unit && { _id: unit._id, name: unit.name },
    mode,
    lockdowns: mode === 'lockdown' && lockdowns.length > 0 ? lockdowns.map(ref) : undefined,
    requiresPin,
    acceptsPinAlone,
    requiresTwoPersons,
    requiresRemoteAuth,
    conditions: doorConditions(index, door),
  })
}

function whereSubjectsOf(index: PolicyIndex, door: Door): RuleVia['where'][] {
  const site = index.sites.get(door.site)
  const siteGroups = site === undefined ? [] : groupsOf(index.siteGroups, site._id)
  return [
    whereSubject('Door', door),
    ...groupsOf(index.doorGroups, door._id).map((group) => whereSubject('Door Group', group)),
    ...(site === undefined ? [] : [whereSubject('Site', site)]),
    ...siteGroups.map((group) => whereSubject('Site Group', group)),
  ]
}

/** The groups of a member, by id. */
export function groupsOf({ groups, groupsOf: idsOf }: GroupIndex, member: string): NamedGroup[] {
  return (idsOf.get(member) ?? []).flatMap((id) => groups.get(id) ?? [])
}

function whereSubject(
  kind: WhereKind,
  { _id, name }: { readonly _id: string; readonly name: string },
): RuleVia['where'] {
  return { kind, _id, name }
}
