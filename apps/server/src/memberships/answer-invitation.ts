import { readInvitation, ownInvitations } from '@portcullis/contract/calls/memberships'
import { users } from '@portcullis/contract/collections/users'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { readItem } from '../collections/get.ts'
import { pick } from '../collections/patch.ts'
import { recordChangeOfItem } from '../collections/record-change-of-item.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { lockTree } from '../history/lock-tree.ts'
import { linkEnded } from '../mail/link.ts'
import { hashOfToken } from '../sessions/token.ts'
import { claimUnconfirmedEmail } from './claim-email.ts'
import { leaveAccount } from './leave-account.ts'

/** The invitation of a link, while the link works. */
export function ofToken(token: string) {
  return sql`membership_invitation_token_hash = ${hashOfToken(token)} and membership_invitation_expires_at > now()`
}

/** An invitation of the person who answers it. */
export function ofPerson({ person, id }: { person: string; id: string }) {
  return sql`membership_invitation_id = ${id} and membership_invitation_person = ${person}`
}

export function listInvitations(database: Database, person: string) {
  return database.asSystem((tx) =>
    tx.rows(
      ownInvitations.output.shape.items.element,
      sql`${invitations(sql`membership_invitation_person = ${person}`)} order by membership_invitation_created_at`,
    ),
  )
}

export async function findInvitation(database: Database, token: string) {
  const found = await database.asSystem((tx) => tx.first(readInvitation.output, invitations(ofToken(token))))
  if (!found) throw linkEnded()
  return found
}

/** Neither answered nor replaced, and its membership waits. */
const isOpen = sql`membership_invitation_ended_at is null and exists (
  select from membership where membership_user = membership_invitation_user
     and membership_account = membership_invitation_account and membership_waits)`

function invitations(condition: Sql) {
  return sql`select membership_invitation_id as _id, account_name as account, membership_role as role,
      membership_invitation_invited_by_name as "invitedBy", membership_invitation_created_at as "createdAt"
      from membership_invitation join account on account_key = membership_invitation_account
      join membership on membership_user = membership_invitation_user and membership_account = account_key
     where ${isOpen} and ${condition}`
}

type AnswerInput = { condition: Sql; accept: boolean; requestId: string }

const placeRow = z.object({
  _id: z.uuid(),
  key: z.int(),
  ref: z.string(),
  name: z.string(),
  root: z.int(),
  defaultTimeZone: z.string(),
})

/** Ends an invitation, and accepts its membership. An invitation that is absent is answered like one that has ended. */
export async function answerInvitation(database: Database, { condition, accept, requestId }: AnswerInput) {
  const memberOf = await database.asSystem(async (tx) => {
    const place = await tx.first(
      placeRow,
      sql`select account_id as _id, account_key as key, account_ref as ref, account_name as name, account_root as root,
             account_default_time_zone as "defaultTimeZone"
            from membership_invitation join account on account_key = membership_invitation_account
           where ${isOpen} and ${condition}`,
    )
    if (!place) throw linkEnded()
    lockTree(tx, { root: place.root, turn: 'alone' })
    const ended = await tx.first(
      z.object({ person: z.uuid(), user: z.uuid() }),
      sql`update membership_invitation set membership_invitation_ended_at = now() where ${isOpen} and ${condition}
       returning membership_invitation_person as person, membership_invitation_user as "user"`,
    )
    if (!ended) throw linkEnded()
    if (!accept) return undefined
    const { user } = ended
    const isClaimed = await claimUnconfirmedEmail(tx, { ...ended, account: place })
    const person = isClaimed ? user : ended.person
    const access = accessOf({ person: await actorOf(tx, person), account: place, requestId })
    const isJoined = await (user === person ? acceptAsIs : takeOver)(tx, { access, user })
    await tx.run(sql`select move_home(${person})`)
    return isJoined ? undefined : place
  })
  // The invitation has ended nevertheless: it can never be accepted.
  if (memberOf) throw new AppError('already_member', { account: memberOf.name })
}

async function actorOf(tx: Transaction, _id: string) {
  const found = await tx.first(
    z.object({ name: z.string() }),
    sql`select person_name as name from person where person_id = ${_id}`,
  )
  if (!found) throw linkEnded()
  return { _id, name: found.name, hyper: false }
}

type AcceptInput = { access: Access; user: string }

/** The user was added to the account as they are. */
async function acceptAsIs(tx: Transaction, { access, user }: AcceptInput) {
  const account = access.account.key
  const read = () => readItem(tx, { collection: users, accounts: [account], id: user })
  const before = await read()
  await tx.run(sql`update membership set membership_waits = false, membership_version = membership_version + 1,
      membership_updated_at = now()
    where membership_user = ${user} and membership_account = ${account}`)
  const after = await read()
  const changed = Object.keys(after).filter((field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]))
  await recordChangeOfItem(tx, {
    access,
    collection: users,
    account,
    item: user,
    action: 'patch',
    before: pick(before, changed),
    after: pick(after, changed),
    undoes: undefined,
    furtherChanges: [],
  })
  return true
}

/**
 * The account created a user with the email of the person who accepts. Their membership becomes that of the person, with its
 * credentials, groups and rules. Returns whether the person was not a member already.
 */
async function takeOver(tx: Transaction, { access, user }: AcceptInput) {
  const { person, account } = access
  const joined = await tx.run(sql`insert into membership (membership_user, membership_account, membership_role,
      membership_status, membership_title, membership_valid_from, membership_valid_until, membership_last_recertified_at)
    select ${person._id}::uuid, membership_account, membership_role, membership_status, membership_title,
           membership_valid_from, membership_valid_until, membership_last_recertified_at
      from membership where membership_user = ${user} and membership_account = ${account.key} on conflict do nothing`)
  if (joined === 0) return false
  await leaveAccount(tx, { user, access, successor: person._id })
  const after = await readItem(tx, { collection: users, accounts: [account.key], id: person._id })
  await recordChangeOfItem(tx, {
    access,
    collection: users,
    account: account.key,
    item: person._id,
    action: 'create',
    before: null,
    after,
    undoes: undefined,
    furtherChanges: [],
  })
  return true
}

/** Accepting needs no right of any role. */
function accessOf(of: Pick<Access, 'person' | 'account' | 'requestId'>): Access {
  const { key } = of.account
  const keys = { subtree: [key], covered: [key], reads: [key] }
  return { ...of, ...keys, assumed: null, role: null, inherited: false, rules: [], freshUntil: null }
}
