import { doors } from '@portcullis/contract/collections/doors'
import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { type Actor, recordHistory } from '../history/record-history.ts'

const assumption = z.object({ _id: z.string(), reason: z.string() })
/** What a command stores of its user, as the audit log entry will name them. */
const storedActor = z.object({
  person: z.object({ _id: z.string(), name: z.string() }),
  account: z.object({ root: z.int() }),
  assumed: z.object({ _id: z.string(), key: z.int(), assumption: assumption.nullable() }).nullable(),
  requestId: z.string(),
})

export function actorJson(actor: Actor) {
  return JSON.stringify(storedActor.parse(actor))
}

const endedRow = z.object({
  id: z.uuid(),
  account: z.int(),
  door: z.uuid(),
  actor: storedActor.nullable(),
  outcome: z.string(),
  detail: z.string().nullable(),
  requestedAt: z.string(),
  sentAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})

/**
 * Ends commands by this condition, with these assignments, and writes an audit log entry with the outcome for each that
 * a user gave. A late confirmation ends a command again and writes a second entry.
 */
export async function endCommands(tx: Transaction, { set, where }: { set: Sql; where: Sql }) {
  const ended = await tx.rows(
    endedRow,
    sql`update unit_command set ${set} where ${where}
        returning unit_command_id as id, unit_command_account as account, unit_command_door as door,
          unit_command_actor as actor, unit_command_status as outcome, unit_command_detail as detail,
          unit_command_requested_at as "requestedAt", unit_command_sent_at as "sentAt", unit_command_ended_at as "endedAt"`,
  )
  for (const { account, door, actor, id, ...after } of ended) {
    if (!actor) continue
    const change = await recordHistory(tx, {
      access: actor,
      account,
      collection: doors.name,
      item: door,
      action: 'unlock',
      before: null,
      after: { command: id, ...after },
      policyVersion: null,
    })
    await recordChanges(tx, [change])
  }
}
