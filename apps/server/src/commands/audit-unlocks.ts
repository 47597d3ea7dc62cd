import { deliveryFaults } from '@portcullis/contract/calls/units'
import { doors } from '@portcullis/contract/collections/doors'
import { reasonCodes } from '@portcullis/domain/decision/reasons'
import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { type Actor, recordHistory } from '../history/record-history.ts'

const assumption = z.object({ _id: z.string(), reason: z.string() })
/** The names of the user that a command stores for its audit log entry. */
const storedActor = z.object({
  person: z.object({ _id: z.string(), name: z.string() }),
  account: z.object({ root: z.int() }),
  assumed: z.object({ _id: z.string(), key: z.int(), assumption: assumption.nullable() }).nullable(),
  requestId: z.string(),
})

export function actorJson(actor: Actor) {
  return JSON.stringify(storedActor.parse(actor))
}

/** The codes that an entry keeps; the controller's own words stay with the command. */
const detailSchema = z
  .enum([...deliveryFaults, ...reasonCodes])
  .nullable()
  .catch(null)

const auditedRow = z.object({
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
type AuditedCommand = z.output<typeof auditedRow>

/**
 * Ends commands by this condition, with these assignments, and writes an audit log entry with the outcome for each that
 * a user gave. A late confirmation ends a command again and writes another entry.
 */
export async function endCommands(tx: Transaction, { set, where }: { set: Sql; where: Sql }) {
  const ended = await tx.rows(
    auditedRow,
    sql`update unit_command set ${set} where ${where}
        returning unit_command_id as id, unit_command_account as account, unit_command_door as door,
          unit_command_actor as actor, unit_command_status as outcome, unit_command_detail as detail,
          unit_command_requested_at as "requestedAt", unit_command_sent_at as "sentAt", unit_command_ended_at as "endedAt"`,
  )
  for (const { actor, ...command } of ended) if (actor) await auditUnlock(tx, { ...command, actor })
}

/** Writes the audit log entry for a command as it now is: one for the request, and another for its outcome. */
export async function auditUnlock(tx: Transaction, command: AuditedCommand & { actor: Actor }) {
  const { id, account, door, actor, outcome, detail, requestedAt, sentAt, endedAt } = command
  const change = await recordHistory(tx, {
    access: actor,
    account,
    collection: doors.name,
    item: door,
    action: 'unlock',
    before: null,
    after: { command: id, outcome, detail: detailSchema.parse(detail), requestedAt, sentAt, endedAt },
    policyVersion: null,
  })
  await recordChanges(tx, [change])
}
