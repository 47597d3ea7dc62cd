import type { DoorFacts, RuleFacts, SiteCalendar } from '../decision/access-facts.ts'
import type { UnlockHours } from '../decision/door-mode.ts'
import { present } from '../decision/finding.ts'
import type { DoorMode } from '../policy.ts'
import type { RuleIds, UnitConfig, UnitDoor, UnitHolder } from './unit-config.ts'

/**
 * The parts of a decision that depend on the configuration alone, each computed when a decision first needs it. They are
 * as few as the doors and rules of the unit and the sets of groups that users have in common, and are gone with the
 * configuration.
 */
type KnownConfig = {
  readonly doors: Map<number, KnownDoor>
  readonly rules: Map<string, RuleFacts | undefined>
  /** By door and holder's `access`, of holders whom rules name in several ways. */
  readonly merged: Map<string, RuleIds | undefined>
}

export type KnownDoor = {
  readonly door: UnitDoor
  readonly calendar: SiteCalendar | undefined
  readonly unlockHours: UnlockHours | undefined
  readonly factsByMode: { [Mode in DoorMode]?: DoorFacts }
}

const knownConfigs = new WeakMap<UnitConfig, KnownConfig>()

function knownConfig(config: UnitConfig): KnownConfig {
  const known = knownConfigs.get(config)
  if (known !== undefined) return known
  const made: KnownConfig = { doors: new Map(), rules: new Map(), merged: new Map() }
  knownConfigs.set(config, made)
  return made
}

/** The door with this number; undefined if the configuration has none. */
export function doorOnUnit(config: UnitConfig, unitDoor: number): KnownDoor | undefined {
  const { doors } = knownConfig(config)
  const known = doors.get(unitDoor)
  if (known !== undefined) return known
  const door = own(config.doors, unitDoor)
  // Numbers without a door are not remembered: there is no limit to them.
  if (door === undefined) return undefined
  const calendar = own(config.sites, door.site)
  const table = door.unlockSchedule === undefined ? undefined : own(config.schedules, door.unlockSchedule)
  const made: KnownDoor = { door, calendar, unlockHours: table && calendar && { table, calendar }, factsByMode: {} }
  doors.set(unitDoor, made)
  return made
}

export function doorFactsOnUnit(config: UnitConfig, { door, factsByMode }: KnownDoor, mode: DoorMode): DoorFacts {
  return (factsByMode[mode] ??= factsInMode(config, door, mode))
}

/** Rules that name single users make a set of each of them. */
const mostMerged = 10_000

/** The rules at a door that name a holder, each id once and in order; undefined if there are none. */
export function rulesOfHolder(config: UnitConfig, { access }: UnitHolder, unitDoor: number): RuleIds | undefined {
  const named: RuleIds[] = []
  for (const id of access) {
    const subject = own(config.access, id)
    const ids = subject && own(subject.doors, unitDoor)
    if (ids !== undefined) named.push(ids)
  }
  if (named.length <= 1) return mergedRules(named)
  const { merged } = knownConfig(config)
  const key = `${unitDoor} ${access.join(' ')}`
  const known = merged.get(key)
  if (known !== undefined || merged.has(key)) return known
  const made = mergedRules(named)
  if (merged.size >= mostMerged) merged.clear()
  merged.set(key, made)
  return made
}

/** The rules at one door that name a user in several ways. */
export function mergedRules(named: readonly RuleIds[]): RuleIds | undefined {
  const [first, ...others] = named
  if (first === undefined) return undefined
  const merged = others.length === 0 ? first : union(named)
  return merged.allow.length + merged.deny.length > 0 ? merged : undefined
}

function union(named: readonly RuleIds[]): RuleIds {
  const allow = [...new Set(named.flatMap((ids) => ids.allow))].sort()
  const deny = [...new Set(named.flatMap((ids) => ids.deny))].sort()
  return { allow, deny, first: named.some(({ first }) => first === true) }
}

/** The facts about rules, those of the same effect in the order of their ids; an id without a rule is left out. */
export function rulesOnUnit(config: UnitConfig, ids: RuleIds | undefined) {
  if (ids === undefined) return noRules
  return { allow: ruleFacts(config, ids.allow), deny: ruleFacts(config, ids.deny) }
}

const none: readonly RuleFacts[] = []
const noRules = { allow: none, deny: none }

function ruleFacts(config: UnitConfig, ids: readonly string[]): readonly RuleFacts[] {
  if (ids.length === 0) return none
  const { rules } = knownConfig(config)
  const found: RuleFacts[] = []
  for (const id of ids) {
    const rule = rules.get(id) ?? factsOfRule(config, id)
    if (rule === undefined) continue
    rules.set(id, rule)
    found.push(rule)
  }
  return found
}

function factsOfRule(config: UnitConfig, _id: string): RuleFacts | undefined {
  const rule = own(config.rules, _id)
  if (rule === undefined) return undefined
  const { direction, adhoc, schedule } = rule
  const table = schedule === null ? null : (own(config.schedules, schedule) ?? null)
  return { _id, direction, adhoc, schedule: schedule === null ? null : { _id: schedule, table } }
}

function factsInMode(config: UnitConfig, door: UnitDoor, mode: DoorMode): DoorFacts {
  const { _id, name, enabled, requiresPin, acceptsPinAlone, requiresTwoPersons, requiresRemoteAuth } = door
  const always = { _id, name, enabled, unitInService: config.inService, mode, requiresPin, requiresRemoteAuth }
  return present({ ...always, acceptsPinAlone, requiresTwoPersons })
}

/**
 * The entry of a key. Input from a reader must not match inherited properties such as `__proto__`: these are functions,
 * and the prototype itself, which no entry is.
 */
export function own<T extends object>(record: Readonly<Record<string, T>>, key: string | number): T | undefined {
  const entry: T | undefined = record[key]
  return typeof entry === 'object' && entry !== Object.prototype ? entry : undefined
}
