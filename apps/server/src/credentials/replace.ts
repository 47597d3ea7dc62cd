import type { InputOf } from '@portcullis/contract/call'
import type { replaceCredential } from '@portcullis/contract/calls/cards'
import { credentials } from '@portcullis/contract/collections/credentials'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import { createItem, parseCreation } from '../collections/create.ts'
import { readItem } from '../collections/get.ts'
import { patchItem } from '../collections/patch.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { lockTree } from '../history/lock-tree.ts'

type ReplaceInput = {
  access: Access
  hooks: CollectionHooks
  id: string
  input: InputOf<typeof replaceCredential>
}

/** Ends a lost or stolen credential, and gives its user another one of the same kind, validity and alarm. */
export async function replace(tx: Transaction, { access, hooks, id, input }: ReplaceInput) {
  lockTree(tx, { root: access.account.root, turn: 'alone' })
  const { user, kind, status, duress, validFrom, validUntil } = await read(id)
  if (user === null) throw new AppError('credential_without_user')
  const isOver = validUntil !== null && Date.parse(validUntil) <= Date.now()
  // For a lost, stolen or revoked credential another one may have been given already.
  if (isOver || (status !== 'active' && status !== 'suspended')) throw new AppError('credential_ended')
  const changing = { collection: credentials, hooks, access, expected: undefined }
  const ended = await patchItem(tx, { ...changing, id, changes: { status: input.status } })
  const given = { user, duress, validFrom, validUntil }
  const { by } = input
  if (!('_id' in by)) {
    const { item } = await parseCreation({ collection: credentials, access, body: { ...by, ...given, kind } })
    const made = await createItem(tx, { collection: credentials, hooks, access, item })
    return { _id: z.uuid().parse(made.item['_id']), entries: [ended.entry, made.entry] }
  }
  const spare = await read(by._id)
  // A card that was lost or stolen does not come back by being given to a user.
  const isFree = spare.user === null && spare.status === 'active' && spare.kind === kind
  if (!isFree) throw new AppError('credential_not_free')
  const taken = await patchItem(tx, { ...changing, id: by._id, changes: given })
  return { _id: by._id, entries: [ended.entry, taken.entry] }

  async function read(_id: string) {
    const accounts = [access.account.key]
    return credentials.entitySchema.parse(await readItem(tx, { collection: credentials, accounts, id: _id }))
  }
}
