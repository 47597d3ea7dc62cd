import { createCards, replaceCredential } from '@portcullis/contract/calls/cards'
import { credentials } from '@portcullis/contract/collections/credentials'
import type { FastifyInstance } from 'fastify'
import { workAs } from '../abilities/access-proof.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import { withNamedHolder } from '../collections/with-named-holder.ts'
import { bulkWrites } from '../collections/write-many.ts'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import type { CredentialNumbers } from '../numbers/credential-numbers.ts'
import { createRange } from './create-range.ts'
import { replace } from './replace.ts'

type CredentialCallsOptions = Pick<ServeCall, 'serveProvenCall'> & {
  database: Database
  hooksByCollection: Readonly<Record<string, CollectionHooks>>
  numbers: CredentialNumbers
}

/** Many cards at once, and replacements of lost ones. */
export function registerCredentialCalls(
  app: FastifyInstance,
  { database, hooksByCollection, numbers, serveProvenCall }: CredentialCallsOptions,
) {
  const hooks = hooksByCollection[credentials.name] ?? {}

  serveProvenCall(app, createCards, ({ access, input }) =>
    bulkWrites.take(`${access.account.root}`, () =>
      workAs(database, access, (tx) => createRange(tx, { access, input, numbers })),
    ),
  )

  serveProvenCall(app, replaceCredential, ({ access, path: { id }, input }) =>
    withNamedHolder(database, { access, collection: credentials, hooks, values: () => ({ ...input.by }) }, () =>
      workAs(database, access, (tx) => replace(tx, { access, hooks, id, input })),
    ),
  )
}
