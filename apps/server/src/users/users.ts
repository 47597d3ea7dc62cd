import { type Role, roles } from '@portcullis/contract/abilities'
import { users } from '@portcullis/contract/collections/users'
import { problem } from '@portcullis/contract/errors/problem'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand, demandField } from '../abilities/access.ts'
import { requireValidPeriod } from '../collections/require-valid-period.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { inviteNew } from '../passwords/password-link.ts'
import { setFirstSignIn } from '../passwords/set-first-sign-in.ts'

/**
 * Giving, changing and removing a role requires the right to manage its subject in the account; users never change
 * their own role (design §3). Status and dates belong to it: otherwise users who may not remove a role could suspend
 * it, or extend theirs.
 */
export const userHooks: CollectionHooks = {
  lostOnDelete: ({ email }) => (typeof email === 'string' ? ['password'] : []),

  async beforeCreate({ access }, item) {
    demandRole(access, { role: item['role'], field: 'role' })
    if (item['idleTime'] !== initialIdleTime) demandField(access, { field: 'idleTime', subject: 'idleTime' })
    requireValidPeriod(item)
    return {}
  },

  /** A user with an email can sign in, so they are invited to choose a password unless a hyper user has set one. */
  async afterCreate({ tx, access }, { item, otherInput }) {
    const person = z.uuid().parse(item['_id'])
    const given = giving.parse(otherInput)
    if (given.password !== undefined || given.verified !== undefined) {
      demandFirstSignInRights(access, { ...given, email: item['email'] })
      await demandOwnSignIn(tx, person)
      await setFirstSignIn(tx, { person, account: access.account.key, ...given })
    }
    const isInvited = item['email'] !== null && item['status'] === 'active' && given.password === undefined
    if (isInvited) await inviteNew(tx, { person, account: access.account, invitedBy: access.person.name })
  },

  async beforePatch({ access }, { before, changes }) {
    const { role, idleTime } = changes
    for (const field of ofRole) {
      if (!differs(changes[field], before[field])) continue
      if (before['_id'] === access.person._id) throw ownRole(field)
      demandRole(access, { role: before['role'], field })
    }
    if (differs(changes['lastRecertifiedAt'], before['lastRecertifiedAt'])) demandRecertifying(access, before['_id'])
    if (role !== undefined && role !== before['role']) demandRole(access, { role, field: 'role' })
    if (idleTime !== undefined && idleTime !== before['idleTime']) {
      demandField(access, { field: 'idleTime', subject: 'idleTime' })
    }
    requireValidPeriod({ ...before, ...changes }, changes)
    return {}
  },

  async beforeDelete({ access }, before) {
    if (before['_id'] === access.person._id) throw ownRole('role')
    demandRole(access, { role: before['role'], field: 'role' })
  },
}

const initialIdleTime = users.fields.optional.idleTime.parse(undefined)

const giving = z.object({ password: z.string().optional(), verified: z.boolean().optional() })
type DemandFirstSignInInput = z.output<typeof giving>

function demandFirstSignInRights(access: Access, { email, ...given }: DemandFirstSignInInput & { email: unknown }) {
  const fields = Object.keys(given)
  if (!access.person.hyper) throw new AppError('hyper_only', {}, { at: fields })
  if (email !== null) return
  const withoutEmail = problem('no_email_to_sign_in')
  throw new AppError('bad_request', {}, { fields: Object.fromEntries(fields.map((field) => [field, withoutEmail])) })
}

/** A user who signs in elsewhere has a password already. Only hyper users see this error, and they see all users. */
async function demandOwnSignIn(tx: Transaction, person: string) {
  const waiting = await tx.run(sql`select from membership where membership_user = ${person} and membership_waits`)
  if (waiting > 0) throw new AppError('taken', { field: 'email' }, { at: ['email'] })
}

const ofRole = ['role', 'status', 'validFrom', 'validUntil'] as const
type OfRole = (typeof ofRole)[number]

/** The same moment can be written in more than one way. */
function differs(requested: unknown, before: unknown) {
  if (requested === undefined || requested === before) return false
  return !(typeof requested === 'string' && typeof before === 'string' && Date.parse(requested) === Date.parse(before))
}

function demandRole(access: Access, { role, field }: { role: unknown; field: OfRole }) {
  const subject: Role = z.enum(roles).parse(role)
  demandField(access, { field, subject })
}

/** Recertifying a user, or undoing it, requires the right to recertify and is never allowed for oneself. */
function demandRecertifying(access: Access, person: unknown) {
  demand(access, { action: 'recertify', subject: users.subject })
  if (person === access.person._id) throw new AppError('own_access')
}

function ownRole(field: OfRole) {
  return new AppError('own_role', {}, { at: [field] })
}
