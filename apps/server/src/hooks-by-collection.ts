import { auditLogHooks } from './audit-logs/calls.ts'
import { doorHooks } from './doors/doors.ts'
import { floorPlanHooks } from './floor-plans/floor-plans.ts'
import { siteHooks } from './sites/sites.ts'
import { userHooks } from './users/users.ts'
import { accountHooks } from './accounts/accounts.ts'
import type { CollectionHooks } from './collections/collection-hooks.ts'
import { credentialHooks } from './credentials/credentials.ts'
import { interlockingGroupHooks } from './interlocking-groups/interlocking-groups.ts'
import { eventsHooks } from './read-models/stored-event-counts.ts'
import { lockdownPlanHooks } from './lockdowns/lockdown-plans.ts'
import { reportHooks } from './reports/reports.ts'
import { unitHooks } from './units/enrol.ts'
import type { CredentialNumbers } from './numbers/credential-numbers.ts'

/** The server half of each collection that has one, by its name. */
export const collectionHooks = (numbers: CredentialNumbers): Readonly<Record<string, CollectionHooks>> => ({
  accounts: accountHooks,
  auditLogs: auditLogHooks,
  credentials: credentialHooks(numbers),
  doors: doorHooks,
  events: eventsHooks,
  floorPlans: floorPlanHooks,
  interlockingGroups: interlockingGroupHooks,
  lockdownPlans: lockdownPlanHooks,
  reports: reportHooks,
  sites: siteHooks,
  units: unitHooks,
  users: userHooks,
})
