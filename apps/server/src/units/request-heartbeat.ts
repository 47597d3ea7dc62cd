import { heartbeatAnswerSeconds } from '@portcullis/contract/calls/units'
import { units } from '@portcullis/contract/collections/units'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { prove } from '../abilities/access-proof.ts'
import { heartbeatsInOutbox } from '../changes/unit-outcomes.ts'
import { recordChanges } from '../changes/record-change.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { requireSeenUnit } from './require-seen-unit.ts'

const stateRow = z.object({
  status: z.string(),
  requestedAt: z.iso.datetime().nullable(),
  isWaiting: z.boolean(),
})

/**
 * Asks a connected controller for a heartbeat at once; the server that holds its connection sends the request. While one
 * waits for its answer, further requests are the same one.
 */
export async function requestUnitHeartbeat(database: Database, { access, unit }: { access: Access; unit: string }) {
  const { key: account } = access.account
  await requireSeenUnit(database, { access, unit })
  return database.asSystem(async (tx) => {
    const state = await tx.first(
      stateRow,
      sql`select unit_state_status as status, unit_state_heartbeat_requested_at as "requestedAt",
             coalesce(unit_state_heartbeat_answered_at is null and unit_state_heartbeat_requested_at
               > now() - make_interval(secs => ${heartbeatAnswerSeconds}), false) as "isWaiting"
            from unit_state where unit_state_id = ${unit} for no key update`,
    )
    if (state?.status !== 'online') throw new AppError('unit_offline')
    if (state.isWaiting && state.requestedAt) return { requestedAt: state.requestedAt }
    const stored = await tx.first(
      z.object({ requestedAt: z.iso.datetime() }),
      sql`update unit_state set unit_state_heartbeat_request = ${uuidv7()}, unit_state_heartbeat_requested_at = clock_timestamp(),
             unit_state_heartbeat_answered_at = null
           where unit_state_id = ${unit} returning unit_state_heartbeat_requested_at as "requestedAt"`,
    )
    if (!stored) throw new AppError('not_found')
    const change = { account, item: unit, action: 'save', isPolicy: false } as const
    await recordChanges(tx, [
      { ...change, collection: units.name },
      { ...change, collection: heartbeatsInOutbox },
    ])
    prove(tx, access)
    return stored
  })
}
