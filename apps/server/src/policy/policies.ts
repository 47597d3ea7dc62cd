import { type PolicyIndex, policyIndex } from '@portcullis/domain/decision/gather-facts'
import sql from 'sql-template-tag'
import { z } from 'zod'
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
import type { Database, Transaction } from '../database/database.ts'
import { tableOf } from '../query/columns.ts'
import { allFields } from '../query/list-request.ts'
import { readItems } from '../query/read-items.ts'

export type CurrentPolicy = { root: number; version: number; index: PolicyIndex }

/** The policies of account trees, each kept in memory as long as its version is the current one. */
export class Policies {
  readonly #database: Database
  readonly #known = new Map<number, CurrentPolicy>()
  readonly #loading = new Map<number, { version: number; loaded: Promise<CurrentPolicy> }>()

  constructor(database: Database) {
    this.#database = database
  }

  /** The policy in force for the account with this key. */
  ofAccount(account: number) {
    return this.#database.asSystem((tx) => this.inTransaction(tx, account))
  }

  /** The same within a transaction of the system role: version and content then belong together. */
  async inTransaction(tx: Transaction, account: number): Promise<CurrentPolicy> {
    const row = await currentVersion(tx, account)
    const known = this.#known.get(row.root)
    if (known?.version === row.version) return known
    // Units that come back together after a restart share one reading; where it fails, each reads for itself.
    const loading = this.#loading.get(row.root)
    const shared = loading?.version === row.version ? await loading.loaded.catch(() => undefined) : undefined
    if (shared) return shared
    const loaded = this.#load(tx, { account, row })
    this.#loading.set(row.root, { version: row.version, loaded })
    try {
      return await loaded
    } finally {
      if (this.#loading.get(row.root)?.loaded === loaded) this.#loading.delete(row.root)
    }
  }

  async #load(tx: Transaction, { account, row }: { account: number; row: z.output<typeof versionRow> }) {
    const current = { ...row, index: policyIndex(await loadPolicy(tx, row)) }
    // What was changed while it was read may be half in it: then it is read again.
    if ((await currentVersion(tx, account)).version !== row.version) return this.inTransaction(tx, account)
    this.#known.set(row.root, current)
    return current
  }
}

const versionRow = z.object({ root: z.int(), version: z.number() })

async function currentVersion(tx: Transaction, account: number) {
  const row = await tx.first(
    versionRow,
    sql`select policy_root as root, policy_version as version
          from account join policy on policy_root = account_root where account_key = ${account}`,
  )
  if (!row) throw new Error(`the account ${account} has no policy`)
  return row
}

/** Reads everything that decisions of an account tree depend on. `root` is the key of its topmost account. */
async function loadPolicy(tx: Transaction, { root, version }: { root: number; version: number }): Promise<Policy> {
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
