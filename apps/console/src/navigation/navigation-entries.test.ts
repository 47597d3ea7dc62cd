import { hyperRules, rulesOfRole } from '@portcullis/contract/abilities'
import { expect, test } from 'vitest'
import { currentEntry, navigationFor } from './navigation-entries.ts'

function labels(rules: Parameters<typeof navigationFor>[0]) {
  return navigationFor(rules).flatMap(({ entries }) => entries.map(({ label }) => label.replace('shell.', '')))
}

test('§2 sidebar: a user who may do everything sees every entry', () => {
  expect(labels(hyperRules)).toEqual([
    'dashboard',
    'sites',
    'controllers',
    'manageAccess',
    'manageSchedules',
    'adhocAccess',
    'lockdownPlans',
    'accessEvents',
    'incidentReports',
    'contacts',
    'userList',
    'passwordResetMfa',
    'accounts',
    'identityProviders',
    'recertifyUsers',
  ])
})

test('§2 sidebar: a reporting user sees the dashboard, sites, events and contacts, and no Access Control group', () => {
  expect(labels(rulesOfRole('reportingUser'))).toEqual([
    'dashboard',
    'sites',
    'accessEvents',
    'incidentReports',
    'contacts',
  ])
  expect(navigationFor(rulesOfRole('reportingUser')).some(({ heading }) => heading === 'shell.accessControl')).toBe(
    false,
  )
})

test('§2 sidebar: the Access Control group shows for schedules alone', () => {
  expect(labels([{ action: 'view', subject: 'Schedules' }])).toEqual(['manageSchedules'])
})

test('§2 sidebar: an app user sees nothing', () => {
  expect(navigationFor(rulesOfRole('appUser'))).toEqual([])
})

test('§3 sidebar: Recertify Users is shown only if the configuration enables recertification', () => {
  const labelsWith = (recertification: boolean) =>
    navigationFor(hyperRules, { recertification }).flatMap(({ entries }) => entries.map(({ label }) => label))
  expect(labelsWith(true).at(-1)).toBe('shell.recertifyUsers')
  expect(labelsWith(false)).not.toContain('shell.recertifyUsers')
})

test.each([
  ['/dashboard', 'shell.dashboard'],
  ['/sites', 'shell.sites'],
  ['/sites/0190f5a0', 'shell.sites'],
  ['/rules', 'shell.manageAccess'],
  ['/rules/list', 'shell.manageAccess'],
  ['/rules/schedules', 'shell.manageSchedules'],
  ['/rules/holidays', 'shell.manageSchedules'],
  ['/rules/explorer', 'shell.manageAccess'],
  ['/rules/adhoc', 'shell.adhocAccess'],
  ['/rules/lockdowns/1', 'shell.lockdownPlans'],
  ['/auditLogs/list', 'shell.accessEvents'],
  ['/incidentReports', 'shell.incidentReports'],
  ['/contacts/list', 'shell.contacts'],
  ['/users/groups', 'shell.userList'],
  ['/users/settings', 'shell.passwordResetMfa'],
  ['/account/list', 'shell.accounts'],
  ['/tenant', 'shell.identityProviders'],
  ['/recertify/list', 'shell.recertifyUsers'],
])('at %s the entry %s is current', (place, label) => {
  expect(currentEntry(navigationFor(hyperRules), place)?.label).toBe(label)
})
