import { z } from 'zod'
import { auditActions, plainActions } from '../collections/audit-logs.ts'
import { instant } from '../fields.ts'

/** Under this header create, patch, delete and undo answer the `_id` of the entry in `auditLogs` that tells of the change. */
export const historyHeader = 'x-history-id'

const document = z.record(z.string(), z.unknown())

/**
 * `POST /api/auditLogs/{id}/undo`: what was done instead of the entry's change, and the item as it now is; null where it is
 * gone. `notRestored` names fields that are not as they were: they are kept out of history, or bound to what has ended.
 */
export const undone = z.object({
  /** The entry that tells of the undoing, which can be undone itself. */
  entry: z.uuid(),
  collection: z.string(),
  action: z.enum(auditActions).exclude(plainActions),
  item: document.nullable(),
  notRestored: z.array(z.string()),
})
export type Undone = z.output<typeof undone>

/** `GET /api/auditLogs/asOf/{collection}/{id}`: the item as it was at a moment, and who had changed it last before. */
export const asOf = {
  input: z.strictObject({ at: instant() }),
  output: z.object({
    at: instant(),
    /** Without run-time state and secrets, which have no history. */
    item: document,
    /** Null where the item is older than its history. */
    lastChange: z
      .object({
        entry: z.uuid(),
        action: z.enum(auditActions),
        actor: z.uuid().nullable(),
        actorName: z.string().nullable(),
        at: instant(),
      })
      .nullable(),
  }),
}
export type AsOf = z.output<typeof asOf.output>
