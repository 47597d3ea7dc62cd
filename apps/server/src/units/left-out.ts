import type { LeftOut } from '@portcullis/contract/calls/left-out'
import { doors } from '@portcullis/contract/collections/doors'
import { schedules } from '@portcullis/contract/collections/schedules'
import { units } from '@portcullis/contract/collections/units'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { leftOutItems } from '../desired/left-out-items.ts'
import { AppError } from '../errors/app-error.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { namedCardholders, namedItems } from '../collections/named-items.ts'

const stateRow = z.object({ leftOut: leftOutItems.nullable(), isApplied: z.boolean() })

/** What the desired configuration of a unit leaves out. Throws `not_found` for a unit that the request does not read. */
export async function leftOutOf(
  database: Database,
  { access, unit }: { access: Access; unit: string },
): Promise<LeftOut> {
  const { reads, signal } = access
  const state = await database.readInAccounts({ accounts: reads, signal }, (tx) =>
    tx.first(
      stateRow,
      sql`select unit_state_left_out as "leftOut",
             unit_state_applied_version is not distinct from unit_state_desired_version as "isApplied"
            from unit join unit_state on unit_state_id = unit_id
           where unit_id = ${unit} and ${belongsTo(tableOf(units), reads)}`,
    ),
  )
  if (!state) throw new AppError('not_found')
  const { leftOut, isApplied } = state
  const named = (collection: typeof doors | typeof schedules, ids: readonly string[] = []) =>
    namedItems(database, { access, collection, ids })
  const [cardholders, incomplete, lostDoors, lostSchedules] = await Promise.all([
    namedCardholders(database, access, leftOut?.holderKeys ?? []),
    named(doors, Object.keys(leftOut?.incomplete ?? {})),
    named(doors, leftOut?.doors),
    named(schedules, leftOut?.schedules),
  ])
  return {
    isApplied,
    credentials: leftOut?.credentials ?? 0,
    cardholders: { ...cardholders, total: leftOut?.holders ?? 0 },
    incomplete: incomplete.map((door) => ({ ...door, cardholders: leftOut?.incomplete[door._id] ?? 0 })),
    doors: lostDoors,
    schedules: lostSchedules,
  }
}
