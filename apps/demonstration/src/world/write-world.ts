import type { Collection } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import { schedules } from '@portcullis/contract/collections/schedules'
import { users } from '@portcullis/contract/collections/users'
import sql, { join, raw } from 'sql-template-tag'
import { z } from 'zod'
import { snakeCase, tableOf } from '@portcullis/server/query/columns'
import type { Transaction } from '@portcullis/server/database/database'
import type { Random } from '../random.ts'
import type { Chronicle, Item } from './chronicle.ts'
import { type AccountKeys, accountKeys } from './account-keys.ts'
import { inChunks } from './in-chunks.ts'
import { writeHistory } from './write-history.ts'
import { writeLinks } from './write-links.ts'

type WriteWorldInput = { chronicle: Chronicle; root: number; random: Random }

/** Stores the chronicle: rows, links and history, each kind with one statement. */
export async function writeWorld(tx: Transaction, { chronicle, root, random }: WriteWorldInput) {
  const byCollection = Map.groupBy(chronicle.items(), ({ collection }) => collection)
  for (const { item } of byCollection.get(accounts) ?? []) await writeRows(tx, { collection: accounts, items: [item] })
  const keys = await accountKeys(tx)
  // The doors were there before the schedules that some of them now refer to.
  for (const collection of new Set([schedules, ...byCollection.keys()])) {
    if (collection === accounts) continue
    const created = byCollection.get(collection) ?? []
    const items = created.map(({ item }) => ({ ...item, account: keyOf(keys, item) }))
    for (const chunk of inChunks(items)) {
      if (collection === users) await writePeople(tx, chunk)
      else await writeRows(tx, { collection, items: chunk })
    }
  }
  const entries = chronicle.entries()
  await writeLinks(tx, { entries, keys, chronicle })
  await writeHistory(tx, { entries, keys, root, random })
}

function keyOf(keys: AccountKeys, { account }: Item) {
  const key = keys.get(z.string().parse(account))
  if (key === undefined) throw new Error(`there is no account ${String(account)}`)
  return key
}

type Rows = { collection: Collection; items: readonly Item[] }

/** An account gets its key from the database; links and state lie in tables of their own. */
function writeRows(tx: Transaction, { collection, items }: Rows) {
  const table = snakeCase(collection.entity)
  const { name, columns } = tableOf(collection)
  const written = [...columns.values()].filter(
    ({ field, link }) =>
      !link && !(field in collection.fields.state) && !(collection === accounts && field === 'account'),
  )
  const rows = items.map((item) =>
    Object.fromEntries(written.map(({ field }) => [columnName(table, field), item[field]])),
  )
  const names = join(written.map(({ bare }) => bare))
  return tx.run(
    sql`insert into ${name} (${names}) select ${names}
          from jsonb_populate_recordset(null::${name}, ${JSON.stringify(rows)}::jsonb)`,
  )
}

function columnName(table: string, field: string) {
  return `${table}_${field === '_id' ? 'id' : snakeCase(field)}`
}

/** The view of users accepts one at a time, without pictures or past times. */
async function writePeople(tx: Transaction, items: readonly Item[]) {
  const people = JSON.stringify(items)
  const record = raw(`(_id uuid, account int, name text, email text, img text, verified boolean, "idleTime" int,
    "createdAt" timestamptz, "updatedAt" timestamptz, version int, role text, status text, title text,
    "validFrom" timestamptz, "validUntil" timestamptz, "lastRecertifiedAt" timestamptz)`)
  await tx.run(
    sql`insert into person (person_id, person_home, person_name, person_email, person_img, person_verified,
          person_idle_time, person_created_at)
        select _id, account, name, email, img, verified, "idleTime", "createdAt"
          from jsonb_to_recordset(${people}::jsonb) as person ${record}`,
  )
  await tx.run(
    sql`insert into membership (membership_user, membership_account, membership_version, membership_created_at,
          membership_updated_at, membership_role, membership_status, membership_title, membership_valid_from,
          membership_valid_until, membership_last_recertified_at)
        select _id, account, version, "createdAt", "updatedAt", role, status, title, "validFrom", "validUntil",
               "lastRecertifiedAt"
          from jsonb_to_recordset(${people}::jsonb) as person ${record}`,
  )
}
