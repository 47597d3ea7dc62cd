import type { Collection } from '@portcullis/contract/collection'
import { v7 as uuidv7 } from 'uuid'
import { type Access, demand } from '../abilities/access.ts'
import { recordChanges } from '../changes/record-change.ts'
import type { Database, Transaction } from '../database/database.ts'
import { type Item, nextPolicyVersion, type Recorded, recordHistory } from '../history/record-history.ts'
import { parseInput } from '../http/parse-input.ts'
import { changesOfLinks } from './changes-of-links.ts'
import { accountOf, readItem } from './get.ts'
import { writeLinks } from './links.ts'
import { checkReferences } from './references.ts'
import type { ServerHalf } from './server-half.ts'
import { insertRow } from './write-rows.ts'

type Asked = { collection: Collection; half: ServerHalf; access: Access; body: unknown }

/** Creates an item in the current account; answers it, and the entry of history that tells of it. */
export async function create(database: Database, { collection, half, access, body }: Asked) {
  demand(access, { action: 'manage', subject: collection.subject })
  const item = parseInput(collection.createSchema, body)
  return database.inAccounts(access.subtree, (tx) => createItem(tx, { collection, half, access, item }))
}

type New = {
  collection: Collection
  half: ServerHalf
  access: Access
  item: Item
  /** An item that is made again as it was: its id, the version that it goes on with, and the entry of its end. */
  again?: { id: string; version: number; undoes: string }
}

/** Creates inside a transaction that somebody else began; the item is already parsed. */
export async function createItem(tx: Transaction, { collection, half, access, item, again }: New): Promise<Recorded> {
  const id = again?.id ?? uuidv7()
  const policyVersion = collection.isPolicy ? await nextPolicyVersion(tx, access.account.root) : null
  await checkReferences(tx, { collection, item, accounts: access.subtree })
  const whole = { ...item, ...(await half.beforeCreate?.({ tx, access }, item)) }
  await insertRow(tx, { collection, id, account: access.account.key, version: again?.version ?? 1, item: whole })
  const account = await accountOf(tx, { collection, id })
  const links = await writeLinks(tx, { collection, account, id, item: whole })
  const created = await readItem(tx, { collection, accounts: [account], id })
  const logged = await recordHistory(tx, {
    access,
    account,
    collection: collection.name,
    item: id,
    action: 'create',
    before: null,
    after: created,
    policyVersion,
    undoes: again?.undoes,
  })
  const saved = {
    account,
    collection: collection.name,
    item: id,
    action: 'save' as const,
    isPolicy: collection.isPolicy,
  }
  await recordChanges(tx, [saved, logged, ...(await changesOfLinks(tx, { account, item: id, links }))])
  return { item: created, entry: logged.item }
}
