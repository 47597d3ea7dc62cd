import type { DoorUnlockHours } from '@portcullis/contract/calls/door-unlock-hours'
import { doors } from '@portcullis/contract/collections/doors'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { unlockedNow } from '../desired/unlocked-now.ts'
import type { Policies } from '../policy/policies.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'

type Services = { database: Database; policies: Policies }

/** Whether doors stand unlocked by their schedules now; doors that the request does not read are left out. */
export async function unlockHoursOfDoors(
  { database, policies }: Services,
  { access, ids }: { access: Access; ids: readonly string[] },
): Promise<DoorUnlockHours[]> {
  const { reads: accounts, signal } = access
  const found = await database.readInAccounts({ accounts, signal }, (tx) =>
    tx.rows(
      z.object({ _id: z.uuid(), isConfirmed: z.boolean() }),
      sql`select door_id as _id,
                 coalesce(unit_state_status = 'online' and unit_state_out_of_sync_since is null, false) as "isConfirmed"
            from door left join unit_state
              on unit_state_id = door_unit and ${belongsTo({ account: sql`unit_state_account` }, accounts)}
           where door_id = any(${[...ids]}::uuid[]) and ${belongsTo(tableOf(doors), accounts)}`,
    ),
  )
  const { index } = await policies.latestOfAccount(access.account.key)
  const unlocked = await unlockedNow(database, { index, doors: found.flatMap(({ _id }) => index.doors.get(_id) ?? []) })
  return found.map((door) => ({
    ...door,
    isUnlocked: unlocked.has(door._id),
    until: unlocked.get(door._id)?.openUntil ?? null,
  }))
}
