import type { DoorUnlockHours } from '@portcullis/contract/calls/door-unlock-hours'
import { doors } from '@portcullis/contract/collections/doors'
import { modeAt, unlockedBySchedule } from '@portcullis/domain/decision/door-mode'
import { unlockHoursOf } from '@portcullis/domain/decision/unlock-schedule'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { leftOutByUnit } from '../desired/left-out-by-unit.ts'
import { AppError } from '../errors/app-error.ts'
import type { Policies } from '../policy/policies.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'

type Services = { database: Database; policies: Policies }

/** Whether a door stands unlocked by its schedule now. Throws `not_found` for a door that the request does not read. */
export async function unlockHoursOfDoor(
  { database, policies }: Services,
  { access, door: id }: { access: Access; door: string },
): Promise<DoorUnlockHours> {
  if (!z.uuid().safeParse(id).success) throw new AppError('not_found')
  const { reads: accounts, signal } = access
  const found = await database.readInAccounts({ accounts, signal }, (tx) =>
    tx.run(sql`select from door where door_id = ${id} and ${belongsTo(tableOf(doors), accounts)}`),
  )
  if (found === 0) throw new AppError('not_found')
  const { index } = await policies.latestOfAccount(access.account.key)
  const unit = index.doors.get(id)?.unit
  const leftOut = unit ? (await leftOutByUnit(database, [unit])).get(unit) : undefined
  const door = index.doors.get(id)
  if (!door) return { isUnlocked: false, until: null }
  const at = Date.now()
  const reading = unlockedBySchedule(modeAt(door, at), { hours: unlockHoursOf(index, door, { at, leftOut }), at })
  return { isUnlocked: reading !== undefined, until: reading?.facts.openUntil ?? null }
}
