import { isAllowed } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import type { Holder } from '@portcullis/contract/errors/error-body'
import sql, { join } from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { prove } from '../abilities/access-proof.ts'
import { seenBy } from '../abilities/seen-by.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'
import { isTaken, takenError, violatedUnique, type Unique } from '../errors/taken-error.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { readItem } from './get.ts'
import type { CollectionHooks } from './collection-hooks.ts'

type Writing = {
  access: Access
  collection: Collection
  hooks: CollectionHooks
  /** The written values, read only after a refusal. */
  values: () => Item
  /** The id of the changed item; absent for a creation. */
  id?: string
}

/**
 * Runs a call that writes. If a value is already taken, the error names the item that holds it, provided the user can
 * see it in the account or below.
 */
export async function withNamedHolder<T>(database: Database, writing: Writing, verb: () => Promise<T>): Promise<T> {
  try {
    return await verb()
  } catch (error) {
    if (!isTaken(error)) throw error
    const unique = violatedUnique(error)
    throw takenError(error, unique && (await findHolder(database, { ...writing, unique })))
  }
}

/** The fields that a body sets, with their parsed values. */
export function namedIn(body: unknown, schema: z.ZodObject): Item {
  const written = schema.parse(body)
  return Object.fromEntries(Object.keys(item.parse(body)).map((field) => [field, written[field]]))
}

const item = z.record(z.string(), z.unknown())

function findHolder(
  database: Database,
  { access, collection, hooks, values, id, unique }: Writing & { unique: Unique },
) {
  const { account, covered, rules } = access
  const accounts = unique.within === 'account' ? [account.key] : covered
  const fields = [unique.field, ...unique.otherFields]
  return database.inAccounts(accounts, async (tx): Promise<Holder | undefined> => {
    const written = values()
    const isWhole = id === undefined || fields.every((field) => field in written)
    const whole = isWhole ? written : { ...(await readItem(tx, { collection, accounts, id })), ...written }
    const taker = await hooks.takerOf?.(tx, { accounts, written: whole })
    const match =
      taker === undefined ? Object.fromEntries(fields.map((field) => [field, whole[field]])) : { _id: taker }
    const holder = await findOne(tx, { collection, hooks, rules, accounts, match })
    prove(tx, access)
    return holder
  })
}

type FindOneInput = Pick<Access, 'rules'> & {
  collection: Collection
  hooks?: CollectionHooks
  accounts: readonly number[]
  match: Item
}

const row = z.object({ _id: z.uuid(), name: z.string().nullable(), heldBy: z.uuid().nullable() })

/** The item with these values, or its holder, as far as these rules let the user see it. */
async function findOne(
  tx: Transaction,
  { collection, hooks, rules, accounts, match }: FindOneInput,
): Promise<Holder | undefined> {
  if (!isAllowed(rules, { action: 'view', subject: collection.subject })) return undefined
  const table = tableOf(seenBy(collection, rules))
  const column = (field = '') => table.columns.get(field)
  const valueOf = (field?: string) => column(field)?.name ?? sql`null`
  const isIt = Object.entries(match).map(([field, value]) => sql`${valueOf(field)} = ${value}`)
  const found = await tx.first(
    row,
    sql`select ${table.id} as _id, ${valueOf('name')} as name, ${valueOf(hooks?.heldBy)} as "heldBy"
          from ${table.source} where ${belongsTo(table, accounts)} and ${join(isIt, ' and ')} limit 1`,
  )
  if (!found) return undefined
  const { heldBy, ...item } = found
  const of = Object.values<Collection>(collections).find(({ name }) => name === column(hooks?.heldBy)?.reference)
  const held =
    of && heldBy !== null ? await findOne(tx, { collection: of, rules, accounts, match: { _id: heldBy } }) : undefined
  return held ?? { collection: collection.name, ...item }
}
