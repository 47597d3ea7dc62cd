import type { Credential, Door, Group, Holiday, Policy, Rule, Schedule, Site, User } from './policy.ts'

/**
 * A small company for the tests: one site in London with one door on one unit, and Nomsa, who has access at all times.
 */
export function samplePolicy(changes: Partial<Policy> = {}): Policy {
  return {
    version: 1,
    accounts: [
      { _id: 'group', parent: null, name: 'Group', recertifyEveryDays: null },
      { _id: 'acme', parent: 'group', name: 'Acme', recertifyEveryDays: null },
      { _id: 'branch', parent: 'acme', name: 'Branch', recertifyEveryDays: null },
      { _id: 'other', parent: 'group', name: 'Other', recertifyEveryDays: null },
    ],
    sites: [site()],
    doors: [door()],
    units: [{ _id: 'unit', account: 'acme', name: 'Unit 1', site: 'site' }],
    users: [user()],
    credentials: [credential()],
    userGroups: [],
    doorGroups: [],
    siteGroups: [],
    interlockingGroups: [],
    rules: [rule()],
    schedules: [],
    holidays: [],
    lockdownPlans: [],
    ...changes,
  }
}

export function site(changes: Partial<Site> = {}): Site {
  return { _id: 'site', account: 'acme', name: 'Cold Store', timeZone: 'Europe/London', calendars: [], ...changes }
}

export function door(changes: Partial<Door> = {}): Door {
  return {
    _id: 'door',
    account: 'acme',
    name: 'Loading Bay 2',
    site: 'site',
    unit: 'unit',
    unitDoor: 1,
    enabled: true,
    mode: 'normal',
    relockAfterSeconds: 5,
    heldOpenAfterSeconds: 30,
    requiresPin: false,
    requiresRemoteAuth: false,
    directions: { entry: true, exit: true },
    ...changes,
  }
}

export function user(changes: Partial<User> = {}): User {
  return {
    _id: 'nomsa',
    account: 'acme',
    name: 'Nomsa Dlamini',
    status: 'active',
    validFrom: null,
    validUntil: null,
    lastRecertifiedAt: null,
    ...changes,
  }
}

export function credential(changes: Partial<Credential> = {}): Credential {
  return {
    _id: 'card',
    account: 'acme',
    user: 'nomsa',
    kind: 'card',
    number: '0412-88213',
    status: 'active',
    validFrom: null,
    validUntil: null,
    ...changes,
  }
}

export function group(changes: Partial<Group> = {}): Group {
  return { _id: 'warehouse', account: 'acme', name: 'Warehouse', members: ['nomsa'], ...changes }
}

export function rule(changes: Partial<Rule> = {}): Rule {
  return {
    _id: 'rule',
    account: 'acme',
    name: 'Warehouse staff',
    effect: 'allow',
    who: [{ kind: 'User', id: 'nomsa' }],
    where: [{ kind: 'Door', id: 'door' }],
    schedule: null,
    direction: 'both',
    adhoc: null,
    enabled: true,
    ...changes,
  }
}

/** Monday to Friday, 06:00 to 18:00. */
export function schedule(changes: Partial<Schedule> = {}): Schedule {
  return {
    _id: 'day-shift',
    account: 'acme',
    name: 'Day shift',
    windows: [{ days: [1, 2, 3, 4, 5], start: '06:00', end: '18:00' }],
    holidayHours: { public: 'closed', company: 'closed', special: 'closed' },
    ...changes,
  }
}

export function holiday(changes: Partial<Holiday> = {}): Holiday {
  return {
    _id: 'founders-day',
    account: 'acme',
    name: "Founders' Day",
    kind: 'company',
    dates: [{ from: '2026-11-18', until: '2026-11-18', recurring: false }],
    calendar: null,
    ...changes,
  }
}
