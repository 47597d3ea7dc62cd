import { accounts } from '@portcullis/contract/collections/accounts'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { holidays } from '@portcullis/contract/collections/holidays'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import type { Collection } from '@portcullis/contract/collection'
import type { Policy } from '@portcullis/domain/policy'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { tableOf } from '../query/columns.ts'
import { allFields } from '../query/list-request.ts'
import { readItems } from '../query/read-items.ts'
import type { Transaction } from '../database/database.ts'

/** Reads everything that decisions of an account tree depend on. `root` is the key of its topmost account. */
export async function loadPolicy(
  tx: Transaction,
  { root, version }: { root: number; version: number },
): Promise<Policy> {
  const accountKeys = await tx.rows(
    z.object({ key: z.int() }),
    sql`select account_key as key from account where account_root = ${root}`,
  )
  const keys = accountKeys.map(({ key }) => key)
  const read = <C extends Collection>(collection: C) => readAll(tx, { collection, keys })
  const doorItems = await read(doors)
  return {
    version,
    accounts: await read(accounts),
    sites: await read(sites),
    doors: doorItems.map((door) => ({ ...door, requiresPin: false })),
    units: await read(units),
    users: await read(users),
    credentials: (await read(credentials)).flatMap(({ number, ...rest }) =>
      number === null ? [] : { ...rest, number },
    ),
    userGroups: await read(userGroups),
    doorGroups: await read(doorGroups),
    siteGroups: await read(siteGroups),
    rules: await read(rules),
    schedules: await read(schedules),
    holidays: await read(holidays),
  }
}

type Asked<C extends Collection> = { collection: C; keys: number[] }

async function readAll<C extends Collection>(tx: Transaction, { collection, keys }: Asked<C>) {
  const rows = await readItems(tx, {
    collection,
    fields: allFields(collection),
    where: sql`${tableOf(collection).account} = any(${keys}::int[])`,
  })
  const schema: C['entitySchema'] = collection.entitySchema
  return rows.map(({ item }): z.output<C['entitySchema']> => schema.parse(JSON.parse(item)))
}
