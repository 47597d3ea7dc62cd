import { doors } from '@portcullis/contract/collections/doors'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { recordHistory } from '../history/record-history.ts'

const heldRow = z.object({
  door: z.uuid(),
  account: z.int(),
  root: z.int(),
  version: z.int(),
  modeVersion: z.int(),
  modeUntil: z.iso.datetime(),
  modeSetAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime(),
})

/**
 * Returns those of the doors that are held unlocked to their schedules: their controller has no room for them, and they would
 * be unlocked by themselves once it has. The caller has locked the account tree `alone`, so that no hold is set meanwhile.
 */
export async function endHolds(tx: Transaction, left: readonly string[]) {
  const ended = await tx.rows(
    heldRow,
    sql`with held as (
          select door_id as id, door_version as version, door_mode_version as mode_version, door_mode_until as mode_until,
                 door_mode_set_at as mode_set_at
            from door where door_id = any(${[...left]}::uuid[]) and door_mode = 'unlocked' and door_mode_until > now()
             for update)
        update door set door_mode = 'normal', door_mode_until = null, door_mode_version = mode_version + 1,
               door_mode_set_at = now(), door_version = version + 1, door_updated_at = now()
          from held, account where door_id = held.id and account_key = door_account
        returning door_id as door, door_account as account, account_root as root, version, mode_version as "modeVersion",
                  mode_until as "modeUntil", mode_set_at as "modeSetAt", door_mode_set_at as "endedAt"`,
  )
  for (const { door, account, root, version, modeVersion, modeUntil, modeSetAt, endedAt } of ended) {
    const logged = await recordHistory(tx, {
      access: { person: { _id: null, name: null }, account: { root }, assumed: null, requestId: uuidv7() },
      reason: 'door_left_out',
      account,
      collection: doors.name,
      item: door,
      action: 'patch',
      before: { mode: 'unlocked', modeUntil, modeSetAt, modeVersion, version },
      after: {
        mode: 'normal',
        modeUntil: null,
        modeSetAt: endedAt,
        modeVersion: modeVersion + 1,
        version: version + 1,
      },
      policyVersion: 'next',
    })
    await recordChanges(tx, [
      { account, collection: doors.name, item: door, action: 'save', isPolicy: doors.isPolicy },
      logged,
    ])
  }
}
