import { type Area, areasOfDoor, interlockedDoors } from '../decision/door-conditions.ts'
import { present } from '../decision/finding.ts'
import { type AccessSubject, accessOfUsers, byKey, type NumberedDoor, subjectsAtDoors } from './access-of-users.ts'
import { type AccessBasis, accessBasis, isSameBasis } from './access-basis.ts'
import { holderFacts } from '../decision/holder-facts.ts'
import type { Credential, Door, Rule, User } from '../policy.ts'
import { membershipKey, type PolicyIndex } from '../decision/policy-index.ts'
import { numberAlone, pinNumber, presentedCredential } from '../decision/presented-credential.ts'
import { usableHolder } from '../decision/usable-credential.ts'
import { siteCalendar } from '../decision/site-calendar.ts'
import { unlockScheduleOf } from '../decision/unlock-schedule.ts'
import type { HolidayDays } from '../time/schedule.ts'
import { stepSize, withoutInterruption } from '../steps.ts'
import type { ConfigSize } from './config-size.ts'
import { type ConfigParts, type ConfigTail, fits, fitToCapacity, type LeftOut } from './fit-to-capacity.ts'
import { sortInSteps } from './sort-in-steps.ts'
import type { UnitArea, UnitConfig, UnitCredential, UnitDoor, UnitHolder, UnitRule } from './unit-config.ts'
import { dateOfEpochDay, dayMs, type Span } from '../time/zone.ts'

export { decideOnUnit } from './decide-on-unit.ts'
export type { UnitConfig } from './unit-config.ts'

export type CompileUnit = {
  readonly index: PolicyIndex
  /** Id of the unit. */
  readonly unit: string
  /** Epoch milliseconds; only the UTC month counts, so that a compile later in the month gives the same bytes. */
  readonly at: number
  /** The credential key of a number, or of `pinNumber` of a PIN, as the unit will compute it at the reader. */
  readonly hashNumber: (number: string) => string
  /** The maximum that the unit can hold; absent or null if it has not reported one. */
  readonly capacity?: ConfigSize | null
}

export type CompiledUnit = ConfigParts & {
  /** The ids in `access`: of the users and groups by which rules name the holders. */
  readonly subjects: readonly string[]
  /** What the holders and credentials were made of. */
  readonly basis: AccessBasis
  /** How much the unit needs to hold: all its doors, and the credentials and schedules for those that fit. */
  readonly needs: ConfigSize
  /** The items beyond the capacity of the unit; doors by id. */
  readonly leftOut: LeftOut & { readonly doors: readonly string[] }
}

/**
 * Reduces the policy to the data that one controller needs: users with an allow rule at one of its doors, and their
 * active credentials. Lost, suspended and revoked cards, suspended users, and anything that ended before the period
 * begins are left out, and so are items beyond the capacity of the unit (`fitToCapacity`). The same policy in any order gives the same text. A unit that does not exist gets a
 * configuration without doors.
 */
export function compileUnit(input: CompileUnit): UnitConfig {
  const { head, access, holders, credentials } = withoutInterruption(compileInSteps(input))
  return {
    holders: Object.fromEntries(holders),
    credentials: Object.fromEntries(credentials),
    access: Object.fromEntries(access),
    ...head,
  }
}

/** The same in short steps, between which the policy must not change. */
export function* compileInSteps(input: CompileUnit): Generator<undefined, CompiledUnit> {
  const { capacity = null } = input
  const { wired, doors, doorsLeftOut } = fittingDoors(input)
  const allSubjects = subjectsOf(input, doors)
  const basis = accessBasis({ ...input, doors, subjects: allSubjects })
  const { subjects, ...holders } = yield* compileHolders(input, { doors, subjects: allSubjects })
  const parts = { ...tailOf(input, { doors, subjects: allSubjects, used: subjects }), ...holders }
  const needs = sizeOf(parts.head, { doors: wired.length, credentials: holders.credentials.length })
  const { leftOut, ...fitted } = yield* fitToCapacity(parts, { needs, capacity })
  const doorIds = doorsLeftOut.map(([, { _id }]) => _id)
  return { ...fitted, subjects, basis, needs, leftOut: { ...leftOut, doors: doorIds } }
}

/**
 * The tail alone, of a unit whose holders and credentials were compiled before. Undefined if these may differ now, or if
 * not all items fit, because then holders and credentials depend on the tail. It depends on the number of rules, not of users.
 */
export function compileTail(
  input: Omit<CompileUnit, 'hashNumber'>,
  known: Pick<CompiledUnit, 'subjects' | 'basis'> & { readonly credentials: number },
): (ConfigTail & Pick<CompiledUnit, 'needs'>) | undefined {
  const { wired, doors } = fittingDoors(input)
  const subjects = subjectsOf(input, doors)
  if (!isSameBasis(accessBasis({ ...input, doors, subjects }), known.basis)) return undefined
  const tail = tailOf(input, { doors, subjects, used: known.subjects })
  const needs = sizeOf(tail.head, { doors: wired.length, credentials: known.credentials })
  return fits(needs, input.capacity ?? null) ? { ...tail, needs } : undefined
}

function subjectsOf({ index, at }: Pick<CompileUnit, 'index' | 'at'>, doors: readonly NumberedDoor[]) {
  return subjectsAtDoors({ index, doors, span: spanOfConfig(at) })
}

function sizeOf({ schedules }: ConfigParts['head'], { doors, credentials }: Omit<ConfigSize, 'schedules'>): ConfigSize {
  return { doors, credentials, schedules: Object.keys(schedules).length }
}

type AtDoors = { readonly doors: readonly NumberedDoor[]; readonly subjects: ReadonlyMap<string, AccessSubject> }

function* compileHolders(
  { index, unit, at, hashNumber }: CompileUnit,
  { doors, subjects }: AtDoors,
): Generator<undefined, Pick<CompiledUnit, 'holders' | 'credentials' | 'subjects'>> {
  const span = spanOfConfig(at)
  const access = yield* accessOfUsers(index, subjects)
  const pins = {
    afterCard: doors.some(([, door]) => door.requiresPin),
    alone: doors.some(([, door]) => door.acceptsPinAlone),
  }
  const holders = new Map<string, UnitHolder>()
  const credentials: [string, UnitCredential][] = []
  const used = new Set<string>()
  let count = 0
  for (const [user, own] of access) {
    if (++count % stepSize === 0) yield
    for (const { credential, holder } of credentialsOf({ index, unit, user, span })) {
      const numbers = numbersOnUnit({ index, unit, credential, holder, pins, access })
      if (numbers.length === 0) continue
      const key = membershipKey(holder._id, holder.account)
      if (!holders.has(key)) holders.set(key, unitHolder(index, { user: holder, access: own }))
      for (const id of own) used.add(id)
      for (const number of numbers) credentials.push([hashNumber(number), unitCredential(credential, key)])
    }
  }
  return {
    holders: yield* sortInSteps([...holders], byKey),
    credentials: yield* sortInSteps(credentials, byKey),
    subjects: [...used].sort(),
  }
}

type TailInput = AtDoors & { readonly used: CompiledUnit['subjects'] }

function tailOf(input: Omit<CompileUnit, 'hashNumber'>, { doors, subjects, used }: TailInput): ConfigTail {
  const found = used.flatMap((id) => subjects.get(id) ?? [])
  const rules = [...new Set(found.flatMap((subject) => [...subject.rules]))]
  return {
    access: found.map((subject) => [subject.who.id, { doors: subject.doors }]),
    head: headOf(input, { doors, rules }),
  }
}

type HeadInput = { readonly doors: readonly NumberedDoor[]; readonly rules: readonly Rule[] }

function headOf(
  { index, unit, at }: Omit<CompileUnit, 'hashNumber'>,
  { doors, rules }: HeadInput,
): ConfigParts['head'] {
  const span = spanOfConfig(at)
  const areas = areasOf(index, doors)
  return {
    unit,
    inService: index.units.get(unit)?.inService !== false,
    from: dateOfEpochDay(span.from / dayMs),
    until: dateOfEpochDay(span.until / dayMs),
    sites: sitesOf({ index, doors, span }),
    doors: sortedRecord(doors.map(([number, door]) => [number, unitDoor(index, door)])),
    ...(areas.length > 0 ? { areas: sortedRecord(areas) } : {}),
    schedules: schedulesOf(index, { doors, rules }),
    rules: sortedRecord(rules.map((rule) => [rule._id, unitRule(rule)])),
  }
}

/** Without those with the highest numbers, if the unit cannot hold all. */
function fittingDoors({ index, unit, capacity = null }: Pick<CompileUnit, 'index' | 'unit' | 'capacity'>) {
  const wired = doorsOnUnit(index, unit)
  if (capacity === null || wired.length <= capacity.doors) return { wired, doors: wired, doorsLeftOut: [] }
  const sorted = wired.toSorted(([one], [other]) => Number(one) - Number(other))
  return { wired, doors: sorted.slice(0, capacity.doors), doorsLeftOut: sorted.slice(capacity.doors) }
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

function doorsOnUnit(index: PolicyIndex, unit: string): NumberedDoor[] {
  const doors = new Map<string, Door>()
  if (!index.units.has(unit)) return []
  for (const door of index.doorsOfUnit.get(unit) ?? []) {
    if (door.unitDoor !== null && !doors.has(`${door.unitDoor}`)) doors.set(`${door.unitDoor}`, door)
  }
  return [...doors]
}

type HeldCredential = { readonly credential: Credential; readonly holder: User }
type CredentialsOf = { index: PolicyIndex; unit: string; user: string; span: Span }

function credentialsOf({ index, unit, user, span }: CredentialsOf): HeldCredential[] {
  if (!index.units.has(unit)) return []
  return (index.credentialsOfUser.get(user) ?? []).flatMap((credential) => {
    const holder = usableHolder(index, credential, span.from)
    return holder ? [{ credential, holder }] : []
  })
}

type NumbersOnUnit = HeldCredential & {
  index: PolicyIndex
  unit: string
  pins: { readonly afterCard: boolean; readonly alone: boolean }
  access: ReadonlyMap<string, unknown>
}

/** The numbers under which a unit finds a credential. */
function numbersOnUnit({ index, unit, credential, holder, pins, access }: NumbersOnUnit): string[] {
  const isPin = credential.kind === 'pin'
  const afterCard = isPin && pins.afterCard ? [pinNumber(credential.number, holder._id)] : []
  if (isPin && !pins.alone) return afterCard
  // At this unit's readers the number may identify another credential, whose account is nearer.
  const account = index.units.get(unit)?.account ?? ''
  const { number, kind } = credential
  // Few PINs exist, so one of a user without access here does not prevent the same PIN of another.
  const isCandidate = (other: Credential) => !isPin || (other.user !== null && access.has(other.user))
  const isFound = presentedCredential(index, { account, number, kind }, isCandidate) === credential
  return isFound ? [...afterCard, numberAlone(credential)] : afterCard
}

function schedulesOf(index: PolicyIndex, { doors, rules }: HeadInput): UnitConfig['schedules'] {
  const ids = new Set([...rules.map(({ schedule }) => schedule), ...doors.map(([, door]) => door.unlockSchedule)])
  const known = [...ids].flatMap((id) => index.schedules.get(id ?? '') ?? [])
  return sortedRecord(known.flatMap(({ _id, table }) => (table ? [[_id, table] as const] : [])))
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

/** An area whose last door has left it is left out with its marks. */
function areasOf(index: PolicyIndex, doors: readonly NumberedDoor[]) {
  return doors.flatMap(([, door]) => areasOfDoor(index, door._id).map((area) => [area._id, unitArea(area)] as const))
}

function unitArea({ antiPassback: { kind, minutes }, forgivenAllAt = null, forgivenAt = {} }: Area): UnitArea {
  return { kind, minutes, forgivenAllAt, forgivenAt: sortedRecord(Object.entries(forgivenAt)) }
}

function unitDoor(index: PolicyIndex, door: Door): UnitDoor {
  const interlocked = interlockedDoors(index, door)
  const interlock = interlocked.flatMap(({ unit, unitDoor: number }) => (unit === door.unit ? (number ?? []) : []))
  const areas = areasOfDoor(index, door._id).map(({ _id }) => _id)
  return present({
    _id: door._id,
    name: door.name,
    site: door.site,
    enabled: door.enabled,
    mode: door.mode,
    ...(door.modeUntil ? { modeUntil: door.modeUntil } : {}),
    relockAfterSeconds: door.relockAfterSeconds,
    heldOpenAfterSeconds: door.heldOpenAfterSeconds,
    requiresPin: door.requiresPin,
    acceptsPinAlone: door.acceptsPinAlone || undefined,
    requiresTwoPersons: door.requiresTwoPersons || undefined,
    firstPerson: door.firstPersonGroup ? true : undefined,
    interlock: interlock.length > 0 ? interlock.sort((a, b) => a - b) : undefined,
    sharedInterlock: interlocked.length > interlock.length || undefined,
    areas: areas.length > 0 ? areas : undefined,
    requiresRemoteAuth: door.requiresRemoteAuth,
    unlockSchedule: unlockScheduleOf(index, door)?._id,
    directions: { entry: door.directions.entry, exit: door.directions.exit },
  })
}

function unitRule({ effect, direction, adhoc, schedule }: Rule): UnitRule {
  return { effect, direction, adhoc: adhoc && { from: adhoc.from, until: adhoc.until }, schedule }
}

function unitHolder(index: PolicyIndex, { user, access }: { user: User; access: UnitHolder['access'] }): UnitHolder {
  const { _id, validFrom, validUntil, recertification } = holderFacts(index, user)
  return { user: _id, validFrom, validUntil, recertification, access }
}

function unitCredential({ _id, kind, duress, validFrom, validUntil }: Credential, holder: string): UnitCredential {
  if (kind !== 'pin') return { _id, holder, validFrom, validUntil }
  return { _id, holder, kind, ...(duress ? { duress } : {}), validFrom, validUntil }
}

function sortedRecord<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries([...entries].sort(byKey))
}
