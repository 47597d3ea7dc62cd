import type { Collection } from '@portcullis/contract/collection'
import { isSensitiveChange } from '@portcullis/contract/sensitive-fields'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import type { Database, Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { lockTree } from '../history/lock-tree.ts'
import type { Item, Recorded } from '../history/record-history.ts'
import { parseLongInput } from '../input/one-long-step.ts'
import { requireFreshSignIn } from '../sessions/require-fresh-sign-in.ts'
import { changesOfLinks } from './changes-of-links.ts'
import { tableOf } from '../query/columns.ts'
import { notFound } from './get.ts'
import { linksIn, writeLinks } from './links.ts'
import { allFields } from '../query/list-request.ts'
import { itemOf } from '../query/read-items.ts'
import { recordChangeOfItem } from './record-change-of-item.ts'
import { checkReferences } from './references.ts'
import type { CollectionHooks } from './collection-hooks.ts'
import { insertRow } from './write-rows.ts'

type CreateInput = { collection: Collection; hooks: CollectionHooks; access: Access; body: unknown }

/** Creates an item in the current account. Returns it with the id of its history entry. */
export async function create(database: Database, input: CreateInput) {
  return workAs(database, input.access, await creation(input))
}

/** Checks such a request. Returns the work that creates the item, for a transaction. */
export async function creation({ collection, hooks, access, body }: CreateInput) {
  const parsed = await parseCreation({ collection, access, body })
  return (tx: Transaction) => createItem(tx, { collection, hooks, access, ...parsed })
}

/** The item of such a request, and the input that is not a field of it. */
export async function parseCreation({ collection, access, body }: Omit<CreateInput, 'hooks'>) {
  demand(access, { action: 'manage', subject: collection.subject })
  const parsed: Item = await parseLongInput({
    key: `${access.account.root}`,
    schema: collection.createSchema,
    input: body,
  })
  const { required, optional, fixed } = collection.fields
  const fields = { ...required, ...optional, ...fixed }
  const [own, otherInput] = partition(Object.entries(parsed), ([field]) => field in fields)
  return { item: Object.fromEntries(own), otherInput: Object.fromEntries(otherInput) }
}

type CreateItemInput = {
  collection: Collection
  hooks: CollectionHooks
  access: Access
  item: Item
  /** Input of the creation that is not a field of the item. */
  otherInput?: Item
  /**
   * For an item that has an id already, with its next version: a user of other accounts, or an item whose deletion is undone,
   * with the entry of the deletion.
   */
  again?: Again
}

type Again = { id: string; version: number; undoes?: string }

/** Creates an item, already parsed, inside the caller's transaction. */
export async function createItem(tx: Transaction, input: CreateItemInput): Promise<Recorded> {
  const { collection, hooks, access, item, otherInput = {}, again } = input
  const { id, version, undoes }: Again = again ?? { id: uuidv7(), version: 1 }
  const { key, root } = access.account
  const links = linksIn(collection, item).filter(({ entries }) => entries.length > 0)
  if (collection.isPolicy) lockTree(tx, { root, turn: links.length > 0 ? 'alone' : 'beside' })
  await checkReferences(tx, { collection, item, access })
  const whole = {
    ...item,
    ...(await hooks.beforeCreate?.({ tx, access }, item, { id, isUndo: undoes !== undefined })),
  }
  if (isSensitiveChange(collection, { before: null, changes: { ...otherInput, ...whole } })) requireFreshSignIn(access)
  insertRow(tx, { collection, id, account: key, version, item: whole })
  await hooks.afterCreate?.({ tx, access }, { item: { ...whole, _id: id }, otherInput })
  const [linked, made] = await Promise.all([
    writeLinks(tx, { collection, account: key, id, links }),
    readMade(tx, { collection, account: key, id }),
  ])
  const { account, item: created } = made
  const entry = await recordChangeOfItem(tx, {
    access,
    collection,
    account,
    item: id,
    action: 'create',
    before: null,
    after: created,
    undoes,
    furtherChanges: await changesOfLinks(tx, { account, item: id, links: linked }),
  })
  return { item: created, entry }
}

type ReadMadeInput = { collection: Collection; account: number; id: string }

const madeRow = z.object({ account: z.int(), item: z.string() })

/** The created item, and the key of its account: a new account belongs to itself. */
async function readMade(tx: Transaction, { collection, account, id }: ReadMadeInput) {
  const table = tableOf(collection)
  const item = itemOf({ collection, fields: allFields(collection), accounts: [] })
  const found = await tx.rows(
    madeRow,
    prepared(
      sql`select ${table.account} as account, ${item}::text as item from ${table.source} where ${table.id} = ${id}`,
    ),
  )
  const made = found.find((row) => row.account === account) ?? found[0]
  if (!made) throw notFound(collection)
  return { account: made.account, item: z.record(z.string(), z.unknown()).parse(JSON.parse(made.item)) }
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter((one) => isFirst(one)), all.filter((one) => !isFirst(one))]
}
