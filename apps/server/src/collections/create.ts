import type { Collection } from '@portcullis/contract/collection'
import { v7 as uuidv7 } from 'uuid'
import { type Access, demand } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import type { Database, Transaction } from '../database/database.ts'
import { lockTree } from '../history/lock-tree.ts'
import type { Item, Recorded } from '../history/record-history.ts'
import { parseInput } from '../http/parse-input.ts'
import { changesOfLinks } from './changes-of-links.ts'
import { linksIn, writeLinks } from './links.ts'
import { type Creation, recordCreation } from './record-creation.ts'
import { checkReferences } from './references.ts'
import type { ServerHalf } from './server-half.ts'
import { insertRow } from './write-rows.ts'

type Asked = { collection: Collection; half: ServerHalf; access: Access; body: unknown }

/** Creates an item in the current account; answers it, and the entry of history that tells of it. */
export async function create(database: Database, { collection, half, access, body }: Asked) {
  demand(access, { action: 'manage', subject: collection.subject })
  const parsed: Item = parseInput(collection.createSchema, body)
  const [besides, own] = partition(Object.entries(parsed), ([field]) => field in collection.atCreation)
  const item = Object.fromEntries(own)
  const made = await workAs(database, access, (tx) =>
    giveItem(tx, { collection, half, access, item, besides: Object.fromEntries(besides) }),
  )
  return { item: await made.item, entry: made.entry }
}

type New = {
  collection: Collection
  half: ServerHalf
  access: Access
  item: Item
  /** What the creation gives that no item shows. */
  besides?: Item
  /** An item that is made again as it was: its id, the version that it goes on with, and the entry of its end. */
  again?: { id: string; version: number; undoes: string }
}

/** Creates inside a transaction that somebody else began; the item is already parsed. */
export async function createItem(tx: Transaction, asked: New): Promise<Recorded> {
  const { item, entry } = await giveItem(tx, asked)
  return { item: await item, entry }
}

/** Gives everything that makes the item. Where nothing has to be looked up first, it travels together with the commit. */
async function giveItem(tx: Transaction, asked: New): Promise<Creation> {
  const { collection, half, access, item, besides = {}, again } = asked
  const id = again?.id ?? uuidv7()
  const { key, root } = access.account
  const links = linksIn(collection, item).filter(({ entries }) => entries.length > 0)
  if (collection.isPolicy) lockTree(tx, { root, turn: links.length > 0 ? 'alone' : 'beside' })
  await checkReferences(tx, { collection, item, accounts: access.subtree })
  const whole = { ...item, ...(await half.beforeCreate?.({ tx, access }, item)) }
  insertRow(tx, { collection, id, account: key, version: again?.version ?? 1, item: whole })
  await half.afterCreate?.({ tx, access }, { item: { ...whole, _id: id }, besides })
  const linked = await writeLinks(tx, { collection, account: key, id, links })
  const others = await changesOfLinks(tx, { account: key, item: id, links: linked })
  return recordCreation(tx, { access, collection, id, undoes: again?.undoes, others })
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter((one) => isFirst(one)), all.filter((one) => !isFirst(one))]
}
