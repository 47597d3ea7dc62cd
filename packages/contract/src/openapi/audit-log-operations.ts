import { asOf } from '../calls/audit-logs.ts'
import { historyIdHeader, json, type Operation, pathParameter, ref } from './operation.ts'
import { inlineSchema } from './schemas.ts'

/** What the audit log can do besides being read. */
export const auditLogOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/auditLogs/{id}/undo',
    id: 'undo',
    tag: 'auditLogs',
    summary: 'Take one change back',
    description: [
      'Of a patch, puts the fields back that it changed, if they are still as it left them; of a create, deletes; of a delete, makes the item again under its old _id and puts it back into its groups.',
      'The entry is one of the current account or of an account below, and the change is made where it was made then. It is a change as any other, with an entry that names the one it undoes and that can be undone itself.',
      'Of two who undo the same entry at the same moment one gets the 409. What was changed again since is a 409 that names the fields and carries the item as it is; what it refers to and is gone, a 422 that names it.',
      'Needs the right to manage what was changed; and, for what somebody else has changed, to view Audit Logs.',
    ].join('\n\n'),
    asks: 'account',
    isGuarded: true,
    parameters: [pathParameter('id', 'The _id of the entry: create, patch and delete answer it in x-history-id.')],
    answer: {
      status: 200,
      description: 'What was done, and the item as it now is.',
      headers: historyIdHeader,
      content: json(ref('Undone')),
    },
    errors: ['not_found', 'conflict', 'taken', 'refused', 'still_in_use', 'unknown_reference'],
  },
  {
    method: 'get',
    path: '/api/auditLogs/asOf/{collection}/{id}',
    id: 'as-of',
    tag: 'auditLogs',
    summary: 'An item as it was at a moment',
    description:
      'Without run-time state and secrets, which have no history. Needs the rights to view Audit Logs and what the item is.',
    asks: 'account',
    isGuarded: false,
    parameters: [
      pathParameter('collection', 'The name of the collection.'),
      pathParameter('id', 'The _id of the item, which may be gone by now.'),
      { name: 'at', in: 'query', required: true, schema: inlineSchema(asOf.input.shape.at) },
    ],
    answer: { status: 200, description: 'The item, and who had changed it last.', content: json(ref('AsOf')) },
    errors: ['bad_request', 'not_found'],
  },
]
