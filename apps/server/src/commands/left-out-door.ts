import sql, { type Sql } from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'

const isApplied = sql`unit_state_applied_version = unit_state_desired_version`

/** The condition on a door that its controller has applied a version without it, for lack of room. */
export const isLeftOutDoor = isLeftOut(isApplied)

type DoorOfAccount = {
  account: number
  door: string
  /** `next`: also if only the next version leaves the door out, which its controller has not applied yet. */
  version?: 'applied' | 'next'
}

/** Refuses to unlock a door of the account for which its controller has no room. */
export async function demandRoomForDoor(tx: Transaction, { account, door, version = 'applied' }: DoorOfAccount) {
  const isMissing = version === 'applied' ? isLeftOutDoor : isLeftOut(sql`true`)
  const found = await tx.run(
    sql`select from door where door_id = ${door} and door_account = ${account} and ${isMissing}`,
  )
  if (found > 0) throw new AppError('door_left_out')
}

function isLeftOut(condition: Sql) {
  return sql`exists (select from unit_state
    where unit_state_id = door_unit and ${condition} and unit_state_left_out -> 'doors' ? door_id::text)`
}
