import { z } from 'zod'
import { defineLog } from '../collection.ts'
import { instant, position, reference, snapshot } from '../fields.ts'

export const auditActions = ['create', 'patch', 'delete', 'export', 'assume', 'leave', 'unlock'] as const

/** Actions that changed nothing, so they cannot be undone. */
export const plainActions = ['export', 'assume', 'leave', 'unlock'] as const

/**
 * One entry for each change of a configured item, with its values before and after; one for each export of a list; one
 * for each door that a user unlocked once, with the outcome; and one each time that a hyper user starts (`assume`) or stops (`leave`) acting inside an account.
 */
export const auditLogs = defineLog({
  name: 'auditLogs',
  entity: 'auditLog',
  subject: 'Audit Logs',
  fields: {
    server: {
      collection: z.string(),
      /** Null if the entry does not concern a single item. */
      item: z.uuid().nullable(),
      action: z.enum(auditActions),
      /** The whole item if it was deleted, otherwise the changed fields. */
      before: snapshot('collection').nullable(),
      /** The whole item if it was created, or the changed fields; for other actions, their details. */
      after: snapshot('collection').nullable(),
      actor: reference('users').nullable(),
      /** The actor's name at that time. */
      actorName: z.string().nullable(),
      /** The account that a hyper user acted inside, if any. */
      assumedAccount: reference('accounts').nullable(),
      /** The entry that records the start of acting inside the account and its reason, if one was given. */
      assumption: z.uuid().nullable(),
      /** That reason; or `door_left_out`, if the server ended a hold because the controller has no room for the door. */
      reason: z.string().nullable(),
      at: instant(),
      requestId: z.string().nullable(),
      policyVersion: z.int().nullable(),
      /** The entry that this change undid. */
      undoes: z.uuid().nullable(),
      /**
       * The position in the order of transactions. Sorted by it, ascending, the log shows an entry only once all
       * earlier ones are visible, and `next` is always returned, so a client that continues from it misses nothing.
       */
      position: position(),
    },
  },
  newestBy: 'at',
  searchable: ['actorName'],
  queryable: [
    'collection',
    'item',
    'action',
    'actor',
    'actorName',
    'assumedAccount',
    'assumption',
    'at',
    'requestId',
    'policyVersion',
    'undoes',
    'position',
  ],
})
