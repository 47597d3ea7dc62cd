import { type AbilityRule, isAllowed, type Subject } from '@portcullis/contract/abilities'
import type { ScreenTab } from '../ui/screen-tabs.tsx'
import { accountTabs } from '../navigation/account-tabs.ts'
import { eventTabs } from '../navigation/event-tabs.ts'
import { lockdownTabs } from '../navigation/lockdown-tabs.ts'
import { ruleTabs } from '../navigation/rule-tabs.ts'
import { scheduleTabs } from '../navigation/schedule-tabs.ts'
import { settingsTabs } from '../navigation/settings-tab.ts'
import { siteTabs } from '../navigation/site-tabs.ts'
import { userTabs } from '../navigation/user-tabs.ts'
import type { Session } from '../session/session-context.tsx'
import type { Section } from '../navigation/navigation-entries.ts'
import { text } from '../text/text.ts'

/** A place of the console that has a name: a screen, or the blank form of a new item. */
export type Destination = {
  kind: 'screen' | 'action'
  label: string
  /** Inside the account: `/sites`. */
  path: string
}

type Form = { label: string; path: string; subject: Subject }

const forms: readonly Form[] = [
  { label: text('sites.add'), path: '/sites?open=new', subject: 'Sites' },
  { label: text('doorGroups.add'), path: '/sites/doorGroups?open=new', subject: 'Sites' },
  { label: text('siteGroups.add'), path: '/sites/groups?open=new', subject: 'Sites' },
  { label: text('units.add'), path: '/units/list?open=new', subject: 'Controllers' },
  { label: text('rules.add'), path: '/rules/list?open=new', subject: 'Access Control' },
  { label: text('adhoc.add'), path: '/rules/adhoc?open=new', subject: 'Access Control' },
  { label: text('schedules.add'), path: '/rules/schedules?open=new', subject: 'Schedules' },
  { label: text('holidays.add'), path: '/rules/holidays?open=new', subject: 'Schedules' },
  { label: text('reports.add'), path: '/incidentReports/list?open=new', subject: 'Incident Reports' },
  { label: text('contacts.add'), path: '/contacts/list?open=new', subject: 'Contacts' },
  { label: text('accounts.add'), path: '/account?open=new', subject: 'Accounts' },
  { label: text('tenants.add'), path: '/tenant/list?open=new', subject: 'Tenants' },
  { label: text('users.add'), path: '/users/list?open=new', subject: 'Users' },
  { label: text('userGroups.add'), path: '/users/groups?open=new', subject: 'Users' },
]

/** Screens that are tabs beside the first of them. */
const tabbed: readonly (readonly ScreenTab[])[] = [
  siteTabs,
  ruleTabs,
  scheduleTabs,
  lockdownTabs,
  eventTabs,
  userTabs,
  accountTabs,
]

type DestinationsForInput = Pick<Session, 'rules'> & {
  user: Pick<Session['user'], 'hyper'>
  sections: readonly Section[]
}

/** Every screen and every blank form open to a user with these sections in the sidebar. */
export function destinationsFor({ rules, user, sections }: DestinationsForInput): Destination[] {
  const screens = screensIn(sections, rules)
  const own = ownScreens.filter(({ path }) => !screens.some((screen) => screen.path === path))
  return [...screens, ...own, ...(user.hyper ? [outbox] : []), ...formsFor(rules)]
}

const ownScreens: readonly Destination[] = settingsTabs.map((tab) => ({
  kind: 'screen',
  label: text('palette.within', { place: text('settings.title'), name: text(`settings.tabs.${tab}`) }),
  path: `/users/settings?tab=${tab}`,
}))

const outbox: Destination = { kind: 'screen', label: text('outbox.title'), path: '/outbox' }

function screensIn(sections: readonly Section[], rules: readonly AbilityRule[]): Destination[] {
  const screens = new Map<string, Destination>()
  for (const { heading, entries } of sections) {
    for (const { label, path: place, search } of entries) {
      const path = search ? `${place}?${new URLSearchParams(search)}` : place
      const name = heading ? text('palette.within', { place: text(heading), name: text(label) }) : text(label)
      screens.set(path, { kind: 'screen', label: name, path })
      const tabs = tabbed.find((group) => group.some((tab) => isAt(tab, path))) ?? []
      for (const tab of tabs.filter((each) => !isAt(each, path) && isOpen(each, rules))) {
        screens.set(tab.path, { kind: 'screen', label: tab.label, path: tab.path })
      }
    }
  }
  return [...screens.values()]
}

function formsFor(rules: readonly AbilityRule[]): Destination[] {
  return forms
    .filter(({ subject }) => isAllowed(rules, { action: 'manage', subject }))
    .map(({ label, path }) => ({ kind: 'action', label, path }))
}

function isOpen({ needs }: ScreenTab, rules: readonly AbilityRule[]) {
  return !needs || isAllowed(rules, { action: 'view', subject: needs })
}

function isAt({ path, also = [] }: ScreenTab, place: string) {
  return [path, ...also].includes(place)
}
