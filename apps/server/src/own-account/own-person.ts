import { users } from '@portcullis/contract/collections/users'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { patchItem } from '../collections/patch.ts'
import type { Transaction } from '../database/database.ts'
import { lockTree } from '../history/lock-tree.ts'

type ChangeOwnPersonInput = { person: string; requestId: string; changes: { name?: string; email?: string } }

/**
 * Changes a user's own data without rights of any role. It is recorded in their home account like any change of a user.
 * Takes a system transaction.
 */
export async function changeOwnPerson(tx: Transaction, { person, requestId, changes }: ChangeOwnPersonInput) {
  const home = await tx.first(homeRow, homeOf(person))
  if (home) {
    const { ownName, hyper, ...account } = home
    const access = {
      person: { _id: person, name: ownName, hyper },
      account,
      assumed: null,
      role: null,
      inherited: false,
      rules: [],
      subtree: [account.key],
      covered: [account.key],
      reads: [account.key],
      requestId,
      freshUntil: null,
    }
    await patchItem(tx, { collection: users, hooks: {}, access, id: person, changes, expected: undefined })
    return
  }
  // A user who has left their home account may still belong to other accounts.
  const { name, email } = changes
  await tx.run(sql`update person set person_name = coalesce(${name ?? null}, person_name),
      person_email = coalesce(${email ?? null}, person_email)
    where person_id = ${person}`)
}

/** Must run before the user's row is locked: policy changes of the home account take their locks in this order. */
export async function lockHomeTree(tx: Transaction, person: string) {
  const home = await tx.first(
    z.object({ root: z.int() }),
    sql`select account_root as root from person join account on account_key = person_home where person_id = ${person}`,
  )
  if (home) lockTree(tx, { root: home.root, turn: 'beside' })
}

const homeRow = z.object({
  ownName: z.string(),
  hyper: z.boolean(),
  _id: z.uuid(),
  key: z.int(),
  ref: z.string(),
  name: z.string(),
  root: z.int(),
  defaultTimeZone: z.string(),
})

function homeOf(person: string) {
  return sql`
    select person_name as "ownName", person_hyper as hyper, account_id as _id, account_key as key,
           account_ref as ref, account_name as name,
           account_default_time_zone as "defaultTimeZone",
           account_root as root
      from person join account on account_key = person_home
      join membership on membership_user = person_id and membership_account = account_key
     where person_id = ${person}`
}
