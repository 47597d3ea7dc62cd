import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'

/** The condition on a door that its controller has no room for it. */
export const isLeftOutDoor = sql`exists (select from unit_state
  where unit_state_id = door_unit and unit_state_left_out -> 'doors' ? door_id::text)`

/** Refuses to unlock a door of the account for which its controller has no room. */
export async function demandRoomForDoor(tx: Transaction, { account, door }: { account: number; door: string }) {
  const found = await tx.run(
    sql`select from door where door_id = ${door} and door_account = ${account} and ${isLeftOutDoor}`,
  )
  if (found > 0) throw new AppError('door_left_out')
}
