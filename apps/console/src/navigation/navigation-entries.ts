import { type AbilityRule, type Action, isAllowed, type Subject } from '@portcullis/contract/abilities'
import {
  IconActivity,
  IconAddressBook,
  IconBuilding,
  IconBuildingCommunity,
  IconCalendarTime,
  IconCpu,
  IconFileAlert,
  IconHourglass,
  IconId,
  IconKey,
  IconLock,
  IconLayoutDashboard,
  IconShieldLock,
  IconUserCheck,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'

type Need = { action: Action; subject: Subject }

export type Entry = {
  label:
    | 'shell.dashboard'
    | 'shell.sites'
    | 'shell.controllers'
    | 'shell.manageAccess'
    | 'shell.manageSchedules'
    | 'shell.adhocAccess'
    | 'shell.lockdownPlans'
    | 'shell.accessEvents'
    | 'shell.incidentReports'
    | 'shell.contacts'
    | 'shell.userList'
    | 'shell.passwordResetMfa'
    | 'shell.accounts'
    | 'shell.identityProviders'
    | 'shell.recertifyUsers'
  /** Path inside the account. */
  path: string
  /** The query of its screen. */
  search?: Readonly<Record<string, string>>
  /** The paths that belong to it; of several matching entries, the one with the longest path is current. */
  covers: readonly string[]
  icon: TablerIcon
  needs?: Need
  /** Shown only where the configuration enables it. */
  feature?: keyof Features
}

type Features = { recertification: boolean }

export type Section = { heading?: 'shell.accessControl' | 'shell.users'; entries: readonly Entry[] }

/** The sidebar of specification §2, as far as its screens exist. */
const sections: readonly Section[] = [
  {
    entries: [
      {
        label: 'shell.dashboard',
        path: '/dashboard',
        covers: ['/dashboard'],
        icon: IconLayoutDashboard,
        needs: view('Dashboards'),
      },
      { label: 'shell.sites', path: '/sites', covers: ['/sites'], icon: IconBuilding, needs: view('Sites') },
      { label: 'shell.controllers', path: '/units', covers: ['/units'], icon: IconCpu, needs: view('Controllers') },
    ],
  },
  {
    heading: 'shell.accessControl',
    entries: [
      {
        label: 'shell.manageAccess',
        path: '/rules/list',
        covers: ['/rules'],
        icon: IconKey,
        needs: view('Access Control'),
      },
      {
        label: 'shell.manageSchedules',
        path: '/rules/schedules',
        covers: ['/rules/schedules', '/rules/holidays'],
        icon: IconCalendarTime,
        needs: view('Schedules'),
      },
      {
        label: 'shell.adhocAccess',
        path: '/rules/adhoc',
        covers: ['/rules/adhoc'],
        icon: IconHourglass,
        needs: view('Access Control'),
      },
      {
        label: 'shell.lockdownPlans',
        path: '/rules/lockdownPlans',
        covers: ['/rules/lockdownPlans', '/rules/lockdowns'],
        icon: IconLock,
        needs: view('Access Control'),
      },
    ],
  },
  {
    entries: [
      {
        label: 'shell.accessEvents',
        path: '/events/list',
        covers: ['/events', '/auditLogs'],
        icon: IconActivity,
        needs: view('Access Events'),
      },
      {
        label: 'shell.incidentReports',
        path: '/incidentReports/list',
        covers: ['/incidentReports'],
        icon: IconFileAlert,
        needs: view('Incident Reports'),
      },
      {
        label: 'shell.contacts',
        path: '/contacts/list',
        covers: ['/contacts'],
        icon: IconAddressBook,
        needs: view('Contacts'),
      },
    ],
  },
  {
    heading: 'shell.users',
    entries: [
      { label: 'shell.userList', path: '/users/list', covers: ['/users'], icon: IconUsers, needs: view('Users') },
      {
        label: 'shell.passwordResetMfa',
        path: '/users/settings',
        search: { tab: 'password' },
        covers: ['/users/settings'],
        icon: IconShieldLock,
        needs: view('Users'),
      },
    ],
  },
  {
    entries: [
      {
        label: 'shell.accounts',
        path: '/account',
        covers: ['/account'],
        icon: IconBuildingCommunity,
        needs: view('Accounts'),
      },
      {
        label: 'shell.identityProviders',
        path: '/tenant/list',
        covers: ['/tenant'],
        icon: IconId,
        needs: view('Tenants'),
      },
      {
        label: 'shell.recertifyUsers',
        path: '/recertify/list',
        covers: ['/recertify'],
        icon: IconUserCheck,
        needs: { action: 'recertify', subject: 'Users' },
        feature: 'recertification',
      },
    ],
  },
]

/** The sections for these rights; a section without entries is not shown. */
export function navigationFor(rules: readonly AbilityRule[], features: Partial<Features> = {}): Section[] {
  return sections
    .map((section) => ({
      ...section,
      entries: section.entries.filter(
        ({ needs, feature }) =>
          (!needs || isAllowed(rules, needs)) && (feature === undefined || features[feature] !== false),
      ),
    }))
    .filter(({ entries }) => entries.length > 0)
}

/** The entry of a path inside the account: `/rules/holidays` is Manage Schedules. */
export function currentEntry(sections: readonly Section[], place: string): Entry | undefined {
  const covering = sections
    .flatMap(({ entries }) => entries)
    .map((entry) => ({ entry, length: Math.max(...entry.covers.map((path) => coveredLength(path, place))) }))
    .filter(({ length }) => length > 0)
    .sort((a, b) => b.length - a.length)
  return covering[0]?.entry
}

function coveredLength(path: string, place: string) {
  return place === path || place.startsWith(`${path}/`) ? path.length : 0
}

function view(subject: Subject): Need {
  return { action: 'view', subject }
}
