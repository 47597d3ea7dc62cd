import { accounts } from './accounts.ts'
import { auditLogs } from './audit-logs.ts'
import { cardFormats } from './card-formats.ts'
import { contacts } from './contacts.ts'
import { credentials } from './credentials.ts'
import { doorGroups } from './door-groups.ts'
import { doors } from './doors.ts'
import { events } from './events.ts'
import { floorPlans } from './floor-plans.ts'
import { holidays } from './holidays.ts'
import { interlockingGroups } from './interlocking-groups.ts'
import { lockdownPlans } from './lockdown-plans.ts'
import { lockdowns } from './lockdowns.ts'
import { metaDataTemplates } from './meta-data-templates.ts'
import { reports } from './reports.ts'
import { rules } from './rules.ts'
import { schedules } from './schedules.ts'
import { siteGroups } from './site-groups.ts'
import { sites } from './sites.ts'
import { tasks } from './tasks.ts'
import { tenants } from './tenants.ts'
import { units } from './units.ts'
import { userGroups } from './user-groups.ts'
import { users } from './users.ts'

/** Every collection of the product; register a new one here. */
export const collections = {
  accounts,
  auditLogs,
  cardFormats,
  contacts,
  credentials,
  doorGroups,
  doors,
  events,
  floorPlans,
  holidays,
  interlockingGroups,
  lockdownPlans,
  lockdowns,
  metaDataTemplates,
  reports,
  rules,
  schedules,
  siteGroups,
  sites,
  tasks,
  tenants,
  units,
  userGroups,
  users,
}

export type CollectionName = keyof typeof collections
