import { rulesOfRole } from '@portcullis/contract/abilities'
import { expect, test } from 'vitest'
import { navigationFor } from './navigation-entries.ts'

test.each([
  [
    'admin',
    'dashboard sites controllers [manageAccess manageSchedules adhocAccess lockdownPlans] accessEvents incidentReports contacts [userList passwordResetMfa] accounts identityProviders recertifyUsers',
  ],
  [
    'accountManager',
    'dashboard sites accessEvents incidentReports contacts [userList passwordResetMfa] accounts identityProviders recertifyUsers',
  ],
  [
    'installer',
    'dashboard sites controllers [manageAccess manageSchedules adhocAccess lockdownPlans] accessEvents contacts',
  ],
  [
    'accessManager',
    'dashboard sites controllers [manageAccess manageSchedules adhocAccess lockdownPlans] accessEvents incidentReports contacts [userList passwordResetMfa] recertifyUsers',
  ],
  ['reportingUser', 'dashboard sites accessEvents incidentReports contacts'],
  ['appUser', ''],
] as const)('§2 sidebar: %s sees what the role opens, in its order, grouped', (role, shown) => {
  const sections = navigationFor(rulesOfRole(role), { recertification: true })
  const shownEntries = sections.map(({ heading, entries }) => {
    const labels = entries.map(({ label }) => label.replace('shell.', '')).join(' ')
    return heading ? `[${labels}]` : labels
  })
  expect(shownEntries.join(' ')).toBe(shown)
})
