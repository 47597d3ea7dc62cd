import { accountsHalf } from './accounts/accounts.ts'
import { auditLogsHalf } from './audit-logs/calls.ts'
import type { ServerHalf } from './collections/server-half.ts'
import { credentialsHalf } from './credentials/credentials.ts'
import { doorsHalf } from './doors/doors.ts'
import { interlockingGroupsHalf } from './interlocking-groups/interlocking-groups.ts'
import { eventsHalf } from './read-models/tally-events.ts'
import { reportsHalf } from './reports/reports.ts'
import { unitsHalf } from './units/enrol.ts'
import { usersHalf } from './users/users.ts'

/** The server half of each collection that has one, by its name. */
export const serverHalves: Readonly<Record<string, ServerHalf>> = {
  accounts: accountsHalf,
  auditLogs: auditLogsHalf,
  credentials: credentialsHalf,
  doors: doorsHalf,
  events: eventsHalf,
  interlockingGroups: interlockingGroupsHalf,
  reports: reportsHalf,
  units: unitsHalf,
  users: usersHalf,
}
