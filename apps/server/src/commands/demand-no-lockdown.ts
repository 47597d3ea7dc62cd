import { doors } from '@portcullis/contract/collections/doors'
import { AppError } from '../errors/app-error.ts'
import type { Item } from '../history/record-history.ts'

/** Neither a mode, nor another wiring, a deletion or a move takes a door out of an active lockdown. */
export function demandNoLockdown(...of: readonly Item[]) {
  const lockdowns = of.flatMap((door) => doors.entitySchema.shape.lockdowns.parse(door['lockdowns']))
  const names = new Set(lockdowns.map(({ name }) => name))
  if (names.size > 0) throw new AppError('door_in_lockdown', { lockdowns: [...names] })
}
