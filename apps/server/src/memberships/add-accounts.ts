import type { addAccounts as call } from '@portcullis/contract/calls/memberships'
import { users } from '@portcullis/contract/collections/users'
import { problem } from '@portcullis/contract/errors/problem'
import sql from 'sql-template-tag'
import type { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { prove } from '../abilities/access-proof.ts'
import type { AccessAt } from '../abilities/resolve-access.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import { createItem } from '../collections/create.ts'
import { readItem } from '../collections/get.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { isTaken, takenError } from '../errors/taken-error.ts'
import { lockTree } from '../history/lock-tree.ts'
import type { AccessIn } from '../http/access-in.ts'

export type MembershipServices = { database: Database; accessIn: AccessIn; userHooks: CollectionHooks }

type AddAccountsInput = { access: Access; id: string } & z.output<typeof call.input>

/** Adds a user of the current account to other accounts, with a role in each, or to none of them. */
export async function addAccounts(
  { database, accessIn, userHooks }: MembershipServices,
  { access, id, accountIds, role }: AddAccountsInput,
) {
  const own = access.account.key
  const user = await database.inAccounts([own], (tx) => readItem(tx, { collection: users, accounts: [own], id }))
  const places: AccessAt[] = []
  for (const account of new Set(accountIds)) {
    places.push(await managingUsers(accessIn, { account, field: 'accountIds' }))
  }
  const item = { ...users.createSchema.parse({ name: user['name'], email: user['email'], role }), groups: [] }
  const scope = [own, ...places.flatMap(({ subtree }) => subtree)]
  const adding = database.inAccounts([...new Set(scope)], async (tx) => {
    lockTrees(tx, places)
    for (const place of places) {
      await demandNoMember(tx, { user: id, place })
      const inside = { ...place, assumed: access.assumed }
      await createItem(tx, { collection: users, hooks: userHooks, access: inside, item, again: { id, version: 1 } })
    }
    prove(tx, access)
  })
  await adding.catch((error: unknown) => {
    throw isTaken(error) ? takenError(error) : error
  })
}

/** The rights in an account where the user of the request manages users. Accounts out of scope are refused like unknown ones. */
export async function managingUsers(accessIn: AccessIn, { account, field }: { account: string; field: string }) {
  const place = await accessIn(account).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'account_refused') throw error
    const fields = { [field]: problem('not_in_sight', { collection: 'accounts' }) }
    throw new AppError('unknown_reference', {}, { fields })
  })
  demand(place, { action: 'manage', subject: users.subject })
  return place
}

/** In the order of their numbers, so that no two requests wait for each other. */
function lockTrees(tx: Transaction, places: readonly AccessAt[]) {
  const roots = new Set(places.map(({ account }) => account.root))
  for (const root of [...roots].toSorted((a, b) => a - b)) lockTree(tx, { root, turn: 'alone' })
}

async function demandNoMember(tx: Transaction, { user, place }: { user: string; place: AccessAt }) {
  const { key, name } = place.account
  const members = await tx.run(sql`select from membership
    where membership_user = ${user} and membership_account = ${key}`)
  if (members > 0) throw new AppError('already_member', { account: name })
}
