import type { MovedAccount, moveAccount as call } from '@portcullis/contract/calls/accounts'
import { accounts } from '@portcullis/contract/collections/accounts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import { type AccessChanges, readAccessChanges, visibleUpward } from '../abilities/read-access-changes.ts'
import type { AccessAt } from '../abilities/resolve-access.ts'
import type { Change } from '../changes/record-change.ts'
import { readItem } from '../collections/get.ts'
import { recordChangeOfItem } from '../collections/record-change-of-item.ts'
import { checkReferences } from '../collections/references.ts'
import { updateRow } from '../collections/write-rows.ts'
import type { Transaction } from '../database/database.ts'
import { lockTree } from '../history/lock-tree.ts'
import { AppError } from '../errors/app-error.ts'
import { findAccountBelow, managing, type AccountServices } from './find-account-below.ts'

type MoveAccountInput = { access: Access; id: string; request: z.output<typeof call.input> }
type Places = { inside: AccessAt; above: AccessAt; below: AccessAt }

/** Moves an account and its subtree below another one; a dry run only reports who would gain or lose access. */
export async function moveAccount(parts: AccountServices, { access, id, request }: MoveAccountInput) {
  const { database, accessIn } = parts
  const { inside, above, item, version } = await findAccountBelow(parts, { access, id })
  await database.inAccounts(access.subtree, (tx) =>
    checkReferences(tx, { collection: accounts, item: { parent: request.parent }, access }),
  )
  const below = await managing(accessIn, request.parent)
  const places = { inside, above, below }
  if (below.upward.includes(inside.account.key)) throw accountBelowItself()
  const accessChanges = await readAccessChanges(database, {
    before: inside.upward,
    after: [inside.account.key, ...below.upward],
    visible: [...visibleUpward(inside), ...visibleUpward(below)],
  })
  const isAlreadyThere = above.account.key === below.account.key
  if (request.dryRun || isAlreadyThere) return outcomeOf({ moved: false, item, accessChanges })
  const { after, entry } = await workAs(database, access, (tx) => move(tx, { access, places, version }))
  return { ...outcomeOf({ moved: true, item: after, accessChanges }), entry }
}

/** Locks the tree, so no other transaction changes it until the move is committed. */
async function move(tx: Transaction, { access, places, version }: { access: Access; places: Places; version: number }) {
  const { inside, above, below } = places
  const { key: account, _id: id, root } = inside.account
  lockTree(tx, { root, turn: 'alone' })
  await checkPlaces(tx, places)
  const reading = { collection: accounts, accounts: [account], id }
  const before = await readItem(tx, reading)
  const changes = { parent: below.account._id }
  if (!(await updateRow(tx, { collection: accounts, id, account, version, changes }))) throw changedMeanwhile()
  await tx.run(sql`select move_account(${account}, ${below.account.key})`)
  const after = await readItem(tx, reading)
  const entry = await recordChangeOfItem(tx, {
    access: { ...inside, assumed: access.assumed },
    collection: accounts,
    account,
    item: id,
    action: 'patch',
    before: { parent: before['parent'] },
    after: changes,
    undoes: undefined,
    // Clients that subscribe to the accounts below the old or the new parent read them again.
    furtherChanges: [above, below].map((place) => rereadAt(place, id)),
  })
  return { after, entry }
}

function rereadAt({ account }: AccessAt, item: string): Change {
  return { account: account.key, collection: accounts.name, item, action: 'reread', isPolicy: false }
}

const chains = z.object({ inside: z.array(z.int()), below: z.array(z.int()) })

/**
 * Refuses if another move changed the tree while this one waited for the lock: the rights were read from the old tree.
 */
async function checkPlaces(tx: Transaction, { inside, below }: Places) {
  const upward = ({ account }: AccessAt) => sql`array(select account_closure_ancestor from account_closure
    where account_closure_descendant = ${account.key} order by account_closure_depth)`
  const now = chains.parse(await tx.first(chains, sql`select ${upward(inside)} as inside, ${upward(below)} as below`))
  if (now.below.includes(inside.account.key)) throw accountBelowItself()
  if (!isSame(now.inside, inside.upward) || !isSame(now.below, below.upward)) throw changedMeanwhile()
}

type MoveOutcome = { moved: boolean; item: unknown; accessChanges: AccessChanges }

function outcomeOf({ moved, item, accessChanges }: MoveOutcome): { answer: MovedAccount; entry?: string } {
  return { answer: { moved, account: accounts.entitySchema.parse(item), ...accessChanges } }
}

function isSame(one: readonly number[], other: readonly number[]) {
  return one.length === other.length && one.every((key, index) => key === other[index])
}

function accountBelowItself() {
  return new AppError('account_below_itself', {}, { at: ['parent'] })
}

function changedMeanwhile() {
  return new AppError('accounts_changed')
}
