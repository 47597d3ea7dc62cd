import { z } from 'zod'
import { defineLog } from '../collection.ts'
import { instant, position, reference, snapshot } from '../fields.ts'

export const auditActions = ['create', 'patch', 'delete', 'export', 'assume', 'leave'] as const

/** What changed nothing that could be taken back. */
export const plainActions = ['export', 'assume', 'leave'] as const

/**
 * Who changed what, when: one entry for one change of a configured thing, with what it was before and after; and one for
 * each export of a list, and for each time that a hyper user began to act inside an account (`assume`) or ended it (`leave`).
 */
export const auditLogs = defineLog({
  name: 'auditLogs',
  entity: 'auditLog',
  subject: 'Audit Logs',
  fields: {
    server: {
      collection: z.string(),
      /** Null where it is not about one item. */
      item: z.uuid().nullable(),
      action: z.enum(auditActions),
      /** The whole item where it was deleted, else the fields that the change touched. */
      before: snapshot('collection').nullable(),
      /** The whole item where it was created, else the fields that the change touched; of an export, what was asked and sent; else what is to be told. */
      after: snapshot('collection').nullable(),
      actor: reference('users').nullable(),
      /** The actor's name as it was then. */
      actorName: z.string().nullable(),
      /** The account that a hyper user acted inside of, where one did. */
      assumedAccount: reference('accounts').nullable(),
      /** The entry that tells when they began to, and why; where they said. */
      assumption: z.uuid().nullable(),
      reason: z.string().nullable(),
      at: instant(),
      requestId: z.string().nullable(),
      policyVersion: z.int().nullable(),
      /** The entry that this change took back. */
      undoes: z.uuid().nullable(),
      /**
       * The place in the order of transactions. Sorted by it, ascending, the log shows an entry only once every earlier one
       * is there, and `next` is always answered: who goes on from it misses nothing.
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
