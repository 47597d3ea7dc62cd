import type { Action, Role, Subject } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'

/**
 * The design's role table, copied from the design and not imported from the server: the expectations must not change with
 * the code that they test.
 */
const table: Record<Role, { manage: readonly Subject[] | 'all'; view: readonly Subject[] }> = {
  admin: { manage: 'all', view: [] },
  accountManager: {
    manage: [
      'Accounts',
      'Users',
      'MFA',
      'Contacts',
      'idleTime',
      'accountManager',
      'accessManager',
      'reportingUser',
      'appUser',
    ],
    view: ['Dashboards', 'Sites', 'Access Events', 'Audit Logs', 'Incident Reports', 'Tenants'],
  },
  installer: {
    manage: ['Sites', 'Controllers', 'iButton'],
    view: ['Access Control', 'Schedules', 'Access Events', 'Contacts', 'Dashboards'],
  },
  accessManager: {
    manage: [
      'Users',
      'Access Control',
      'Schedules',
      'RemoteAuth',
      'Contacts',
      'Incident Reports',
      'iButton',
      'appUser',
    ],
    view: ['Sites', 'Controllers', 'Access Events', 'Dashboards'],
  },
  reportingUser: {
    manage: [],
    view: ['Dashboards', 'Sites', 'Access Events', 'Audit Logs', 'Incident Reports', 'Contacts'],
  },
  appUser: { manage: [], view: [] },
}

const subjects: Readonly<Record<string, Subject | undefined>> = {
  accounts: 'Accounts',
  auditLogs: 'Audit Logs',
  contacts: 'Contacts',
  credentials: 'Users',
  doorGroups: 'Sites',
  doors: 'Sites',
  events: 'Access Events',
  floorPlans: 'Sites',
  holidays: 'Schedules',
  interlockingGroups: 'Sites',
  lockdownPlans: 'Access Control',
  lockdowns: 'Access Control',
  metaDataTemplates: 'Users',
  reports: 'Incident Reports',
  rules: 'Access Control',
  schedules: 'Schedules',
  siteGroups: 'Sites',
  sites: 'Sites',
  tasks: 'RemoteAuth',
  tenants: 'Tenants',
  units: 'Controllers',
  userGroups: 'Users',
  users: 'Users',
}

/** The subject of the rights to a collection: from the design, or from the collection's definition if the design has none. */
export function subjectOf({ name, subject }: Pick<Collection, 'name' | 'subject'>): Subject {
  return subjects[name] ?? subject
}

/** Whether a user with this role has the right; `hyper` has every right. */
export function may(role: Role | 'hyper', action: Action, subject: Subject) {
  if (role === 'hyper') return true
  const { manage, view } = table[role]
  if (manage === 'all' || manage.includes(subject)) return true
  return action === 'view' && view.includes(subject)
}

/** The rights that a move of places to another account needs in both accounts. */
export function mayMove(role: Role | 'hyper') {
  return (['Controllers', 'Sites', 'Access Control'] as const).every((subject) => may(role, 'manage', subject))
}
