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
      z.object({ _id: z.uuid() }),
      sql`select door_id as _id from door
           where door_id = any(${[...ids]}::uuid[]) and ${belongsTo(tableOf(doors), accounts)}`,
    ),
  )
  const { index } = await policies.latestOfAccount(access.account.key)
  const unlocked = await unlockedNow(database, { index, doors: found.flatMap(({ _id }) => index.doors.get(_id) ?? []) })
  return found.map(({ _id }) => ({ _id, isUnlocked: unlocked.has(_id), until: unlocked.get(_id)?.openUntil ?? null }))
}
