import fc from 'fast-check'
import {
  antiPassbackKinds,
  credentialKinds,
  credentialStatuses,
  doorModes,
  holidayKinds,
  type Policy,
  ruleDirections,
  ruleEffects,
  userStatuses,
} from './policy.ts'
import { dayMs } from './time/zone.ts'

/** The period of all random policies and attempts: two weeks in which London and New York change their clocks. */
export const stage = { from: Date.parse('2026-10-20T00:00:00Z'), until: Date.parse('2026-11-06T00:00:00Z') }

export const anyInstant = fc.integer({ min: stage.from, max: stage.until })

export const numbers = ['100', '200', '300', '400'] as const

const accountIds = ['root', 'acme', 'branch', 'other'] as const
const siteIds = ['site-1', 'site-2'] as const
const doorIds = ['door-1', 'door-2', 'door-3', 'door-4'] as const
const userIds = ['user-1', 'user-2', 'user-3', 'user-4'] as const
const scheduleIds = ['schedule-1', 'schedule-2', 'schedule-3'] as const

const iso = anyInstant.map((at) => new Date(at).toISOString())
const account = fc.constantFrom('acme', 'acme', ...accountIds)
const mostly = <T>(value: T, ...others: T[]) =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 5 }).map((value) => value ?? null)
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
const validity = { validFrom: sometimes(iso), validUntil: sometimes(iso) }

const clock = fc.constantFrom('00:00', '01:30', '06:00', '09:15', '12:00', '18:00', '22:00')
const hours = fc.record({ start: clock, end: fc.oneof(clock, fc.constant('24:00')) })
const days = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 2 })
const holidayHours = fc.oneof(
  fc.constant('closed' as const),
  fc.constant('asUsual' as const),
  fc.array(hours, { maxLength: 2 }),
)
const date = iso.map((text) => text.slice(0, 10))

const groupsOf = (ids: readonly string[], named: readonly string[]) =>
  each(ids, (_id) => ({
    _id: fc.constant(_id),
    account,
    name: fc.constant(_id),
    members: fc.uniqueArray(fc.constantFrom(...named, 'gone'), { maxLength: 4, size: 'max' }),
  }))

const antiPassback = fc.option(
  fc.record({
    kind: fc.constantFrom(...antiPassbackKinds),
    minutes: fc.constant(10),
  }),
)

const who = fc.oneof(
  fc.record({ kind: fc.constant('User' as const), id: fc.constantFrom(...userIds, 'gone') }),
  fc.record({ kind: fc.constant('User Group' as const), id: fc.constantFrom('group-1', 'group-2', 'gone') }),
)
const where = fc.oneof(
  fc.record({ kind: fc.constant('Door' as const), id: fc.constantFrom(...doorIds, 'gone') }),
  fc.record({ kind: fc.constant('Site' as const), id: fc.constantFrom(...siteIds, 'gone') }),
  fc.record({ kind: fc.constant('Door Group' as const), id: fc.constantFrom('doors-1', 'gone') }),
  fc.record({ kind: fc.constant('Site Group' as const), id: fc.constantFrom('sites-1', 'gone') }),
)

const lockdowns = fc.uniqueArray(
  fc.record({
    _id: fc.constantFrom('lockdown-1', 'lockdown-2'),
    name: fc.constant('Lockdown'),
    mayPass: fc.uniqueArray(fc.constantFrom('group-1', 'group-2', 'gone'), { maxLength: 3, size: 'max' }),
  }),
  { selector: ({ _id }) => _id, minLength: 1, maxLength: 2, size: 'max' },
)

const rules = fc.uniqueArray(
  fc.record({
    _id: fc.integer({ min: 1, max: 99 }).map((number) => `rule-${number}`),
    account: fc.constantFrom('root', 'acme', 'acme', 'branch'),
    name: fc.constant('Rule'),
    effect: mostly<Policy['rules'][number]['effect']>(...ruleEffects),
    who: fc.array(who, { maxLength: 5, size: 'max' }),
    where: fc.array(where, { maxLength: 5, size: 'max' }),
    schedule: fc.option(fc.constantFrom(...scheduleIds, 'gone')),
    direction: fc.constantFrom(...ruleDirections, 'both' as const),
    adhoc: sometimes(fc.record({ from: iso, until: iso })),
    enabled: mostly<boolean>(true, false),
  }),
  { selector: ({ _id }) => _id, minLength: 2, maxLength: 10, size: 'max' },
)

/**
 * Uses small pools of ids, so that references match, and includes dangling ones, shadowed numbers and nested accounts.
 */
export const anyPolicy: fc.Arbitrary<Policy> = fc.record({
  version: fc.nat(),
  accounts: fc.tuple(sometimes(fc.constantFrom(5, 400)), sometimes(fc.constant(5))).map(([atRoot, atBranch]) => [
    { _id: 'root', parent: null, name: 'Root', recertifyEveryDays: atRoot },
    { _id: 'acme', parent: 'root', name: 'Acme', recertifyEveryDays: null },
    { _id: 'branch', parent: 'acme', name: 'Branch', recertifyEveryDays: atBranch },
    { _id: 'other', parent: 'root', name: 'Other', recertifyEveryDays: null },
  ]),
  sites: each(siteIds, (_id) => ({
    _id: fc.constant(_id),
    account: fc.constantFrom('acme', 'branch'),
    name: fc.constant(_id),
    timeZone: mostly<string>('Europe/London', 'America/New_York', 'Africa/Johannesburg', 'Nowhere/None'),
    calendars: fc.constantFrom([], ['UK']),
  })),
  doors: each(doorIds, (_id) => ({
    _id: fc.constant(_id),
    account: fc.constantFrom('acme', 'acme', 'branch'),
    name: fc.constant(_id),
    site: fc.constantFrom(...siteIds, ...siteIds, 'gone'),
    unit: mostly<string | null>('unit-1', 'unit-2', null),
    unitDoor: fc.constant(Number(_id.slice(-1))),
    enabled: mostly<boolean>(true, false),
    mode: mostly<Policy['doors'][number]['mode']>(...doorModes),
    relockAfterSeconds: fc.constant(5),
    heldOpenAfterSeconds: fc.constant(30),
    requiresPin: mostly<boolean>(false, true),
    acceptsPinAlone: mostly<boolean>(false, true),
    requiresTwoPersons: mostly<boolean>(false, true),
    firstPersonGroup: mostly<string | null>(null, 'group-1', 'gone'),
    requiresRemoteAuth: mostly<boolean>(false, true),
    unlockSchedule: fc.constantFrom<(string | null)[]>(null, null, 'schedule-1', 'gone'),
    directions: fc.constant({ entry: true, exit: true }),
    lockdowns: sometimes(lockdowns),
  })).map((doors) =>
    doors.map(({ lockdowns: active, ...door }) =>
      active === null ? door : { ...door, mode: 'lockdown' as const, lockdowns: active },
    ),
  ),
  units: each(['unit-1', 'unit-2'], (_id) => ({
    _id: fc.constant(_id),
    account: fc.constantFrom('acme', 'acme', 'branch'),
    name: fc.constant(_id),
    site: fc.constant(null),
    inService: mostly<boolean>(true, false),
  })),
  users: fc.uniqueArray(
    fc.record({
      _id: fc.constantFrom(...userIds),
      account,
      name: fc.constant('User'),
      status: mostly<Policy['users'][number]['status']>(...userStatuses),
      ...validity,
      lastRecertifiedAt: rarely(iso),
    }),
    { selector: ({ _id, account: held }) => `${_id}@${held}`, minLength: 4, maxLength: 10, size: 'max' },
  ),
  credentials: fc.uniqueArray(
    fc.record({
      _id: fc.integer({ min: 1, max: 99 }).map((number) => `card-${number}`),
      account,
      user: fc.constantFrom(...userIds, ...userIds, 'gone', null),
      kind: mostly<Policy['credentials'][number]['kind']>(...credentialKinds),
      number: fc.constantFrom(...numbers),
      status: mostly<Policy['credentials'][number]['status']>(...credentialStatuses),
      ...validity,
    }),
    { selector: ({ _id }) => _id, minLength: 4, maxLength: 10, size: 'max' },
  ),
  userGroups: groupsOf(['group-1', 'group-2'], userIds),
  doorGroups: groupsOf(['doors-1'], doorIds).chain((groups) =>
    antiPassback.map((kind) => groups.map((group) => ({ ...group, antiPassback: kind }))),
  ),
  siteGroups: groupsOf(['sites-1'], siteIds),
  interlockingGroups: groupsOf(['interlock-1'], doorIds),
  rules,
  schedules: each(scheduleIds, (_id) => ({
    _id: fc.constant(_id),
    account: fc.constant('acme'),
    name: fc.constant(_id),
    windows: fc.array(
      fc.tuple(hours, days).map(([window, on]) => ({ ...window, days: on })),
      { maxLength: 3 },
    ),
    holidayHours: fc.record({ public: holidayHours, company: holidayHours, special: holidayHours }),
  })),
  holidays: each(['holiday-1', 'holiday-2'], (_id) => ({
    _id: fc.constant(_id),
    account,
    name: fc.constant(_id),
    kind: fc.constantFrom(...holidayKinds),
    dates: fc.array(
      fc.tuple(date, fc.nat({ max: 3 }), fc.boolean()).map(([from, more, recurring]) => ({
        from,
        until: new Date(Date.parse(from) + more * dayMs).toISOString().slice(0, 10),
        recurring,
      })),
      { maxLength: 2 },
    ),
    calendar: fc.constantFrom(null, null, 'UK', 'ZA'),
  })),
  lockdownPlans: each(['plan-1', 'plan-2'], (_id) => ({
    _id: fc.constant(_id),
    account: fc.constantFrom('root', 'acme', 'branch'),
    name: fc.constant(_id),
    places: fc.array(where, { maxLength: 3, size: 'max' }),
    mayPass: fc.uniqueArray(fc.constantFrom('group-1', 'group-2', 'gone'), { maxLength: 3 }),
    cardGroups: fc.constant([]),
    cardDoors: fc.constant([]),
  })),
})

/** The same policy with every list in another order. */
export function shuffled(policy: Policy): fc.Arbitrary<Policy> {
  return fc.record({
    version: fc.constant(policy.version),
    accounts: inAnyOrder(policy.accounts),
    sites: inAnyOrder(policy.sites),
    doors: inAnyOrder(policy.doors),
    units: inAnyOrder(policy.units),
    users: inAnyOrder(policy.users),
    credentials: inAnyOrder(policy.credentials),
    userGroups: inAnyOrder(policy.userGroups.map((group) => ({ ...group, members: group.members.toReversed() }))),
    doorGroups: inAnyOrder(policy.doorGroups.map((group) => ({ ...group, members: group.members.toReversed() }))),
    interlockingGroups: inAnyOrder(
      policy.interlockingGroups.map((group) => ({ ...group, members: group.members.toReversed() })),
    ),
    siteGroups: inAnyOrder(policy.siteGroups.map((group) => ({ ...group, members: group.members.toReversed() }))),
    rules: inAnyOrder(
      policy.rules.map((rule) => ({ ...rule, who: rule.who.toReversed(), where: rule.where.toReversed() })),
    ),
    schedules: inAnyOrder(
      policy.schedules.map((schedule) => ({
        ...schedule,
        windows: schedule.windows.map((window) => ({ ...window, days: window.days.toReversed() })).toReversed(),
      })),
    ),
    lockdownPlans: inAnyOrder(policy.lockdownPlans),
    holidays: inAnyOrder(policy.holidays.map((holiday) => ({ ...holiday, dates: holiday.dates.toReversed() }))),
  })
}

function inAnyOrder<T>(items: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length })
}

function each<T>(ids: readonly string[], model: (_id: string) => { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc.tuple(...ids.map((_id) => fc.record(model(_id))))
}
