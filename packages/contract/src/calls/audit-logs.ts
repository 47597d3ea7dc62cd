import { z } from 'zod'
import { undoObstacles } from '../errors/business-rules.ts'
import { auditActions, plainActions } from '../collections/audit-logs.ts'
import { defineCall, schemaNames, view } from '../call.ts'
import { instant } from '../fields.ts'

/** The response header of changes that holds the `_id` of their entry in `auditLogs`. */
export const historyHeader = 'x-history-id'

const document = z.record(z.string(), z.unknown())

export const undoChange = defineCall({
  id: 'undo',
  method: 'POST',
  path: '/api/auditLogs/{id}/undo',
  tag: 'auditLogs',
  summary: 'Undo a change',
  description: [
    'Undoing a patch restores the fields it changed, if they still have the values it set. Undoing a create deletes the item. Undoing a delete creates the item again under its old _id and returns it to its groups.',
    'The entry belongs to the current account or to one below it, and the undo happens in the account of the original change. It gets an entry of its own, which names the entry it undoes and can be undone too.',
    'If two users undo the same entry at once, one of them gets 409. Fields that have changed again since are a 409 that names them and carries the current item; a reference to a deleted item is a 422 that names it.',
    'Needs the right to manage the item, and to view Audit Logs if another user made the change.',
  ].join('\n\n'),
  access: 'account',
  params: { id: 'The _id of the entry; create, patch and delete return it in x-history-id.' },
  output: z
    .object({
      /** The entry of the undo, which can be undone too. */
      entry: z.uuid(),
      collection: z.string(),
      action: z.enum(auditActions).exclude(plainActions),
      /** Null if the item no longer exists. */
      item: document.nullable(),
      /**
       * Fields without their previous value: history does not hold them, or they belong to something that has ended.
       */
      notRestored: z.array(z.string()),
    })
    .register(schemaNames, { id: 'Undone' }),
  isRecorded: true,
  returns: 'The action that was taken, and the current item.',
  errors: [
    'not_found',
    'conflict',
    'taken',
    'used_by_others',
    'unknown_reference',
    'fresh_sign_in_needed',
    ...undoObstacles,
  ],
})
export type Undone = z.output<typeof undoChange.output>

export const asOf = defineCall({
  id: 'as-of',
  method: 'GET',
  path: '/api/auditLogs/asOf/{collection}/{id}',
  tag: 'auditLogs',
  summary: 'Get an item as it was at a point in time',
  description: 'Run-time state and secrets have no history and are left out. Also needs the right to view the item.',
  access: 'account',
  abilities: [view('Audit Logs')],
  params: { collection: 'The name of the collection.', id: 'The _id of the item, which may have been deleted since.' },
  query: z.strictObject({ at: instant() }),
  output: z
    .object({
      at: instant(),
      item: document,
      /** Null if the item is older than its history. */
      lastChange: z
        .object({
          entry: z.uuid(),
          action: z.enum(auditActions),
          actor: z.uuid().nullable(),
          actorName: z.string().nullable(),
          at: instant(),
        })
        .nullable(),
    })
    .register(schemaNames, { id: 'AsOf' }),
  returns: 'The item, and the last change before that time.',
  errors: ['not_found'],
})
export type AsOf = z.output<typeof asOf.output>
