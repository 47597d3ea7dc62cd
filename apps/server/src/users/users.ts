import { type Role, roles } from '@portcullis/contract/abilities'
import { users } from '@portcullis/contract/collections/users'
import { problem } from '@portcullis/contract/errors/problem'
import { z } from 'zod'
import { type Access, demand, demandField } from '../abilities/access.ts'
import { demandOrder } from '../collections/demand-order.ts'
import type { ServerHalf } from '../collections/server-half.ts'
import { AppError } from '../errors/app-error.ts'
import { inviteNew } from '../passwords/password-link.ts'
import { vouchFor } from '../passwords/vouch-for.ts'

/**
 * A role is given, changed and taken by who may manage its subject in the account, and never one's own (design §3). Whether and
 * how long it is in force is part of it: otherwise who may not take it would suspend it, and a role for a day be kept.
 */
export const usersHalf: ServerHalf = {
  restorable: ['lastRecertifiedAt'],
  lostOnDelete: ({ email }) => (typeof email === 'string' ? ['password'] : []),

  async beforeCreate({ access }, item) {
    demandRole(access, { role: item['role'], field: 'role' })
    if (item['idleTime'] !== initialIdleTime) demandField(access, { field: 'idleTime', subject: 'idleTime' })
    demandOrder(item)
    return {}
  },

  /** Whoever has an e-mail can sign in: they are asked to choose a password, where a hyper user has not given one. */
  async afterCreate({ tx, access }, { item, besides }) {
    const person = z.uuid().parse(item['_id'])
    const given = giving.parse(besides)
    if (given.password !== undefined || given.verified !== undefined) {
      demandVouching(access, { ...given, email: item['email'] })
      await vouchFor(tx, { person, account: access.account.key, ...given })
    }
    const isInvited = item['email'] !== null && item['status'] === 'active' && given.password === undefined
    if (isInvited) await inviteNew(tx, { person, account: access.account })
  },

  async beforePatch({ access }, { before, changes }) {
    const { role, idleTime } = changes
    for (const field of ofRole) {
      if (!isAnother(changes[field], before[field])) continue
      if (before['_id'] === access.person._id) throw ownRole(field)
      demandRole(access, { role: before['role'], field })
    }
    if (isAnother(changes['lastRecertifiedAt'], before['lastRecertifiedAt'])) demandRecertifying(access, before['_id'])
    if (role !== undefined && role !== before['role']) demandRole(access, { role, field: 'role' })
    if (idleTime !== undefined && idleTime !== before['idleTime']) {
      demandField(access, { field: 'idleTime', subject: 'idleTime' })
    }
    demandOrder({ ...before, ...changes }, changes)
    return {}
  },

  async beforeDelete({ access }, before) {
    if (before['_id'] === access.person._id) throw ownRole('role')
    demandRole(access, { role: before['role'], field: 'role' })
  },
}

const initialIdleTime = users.fields.optional.idleTime.parse(undefined)

const giving = z.object({ password: z.string().optional(), verified: z.boolean().optional() })
type Given = z.output<typeof giving>

function demandVouching(access: Access, { email, ...given }: Given & { email: unknown }) {
  const fields = Object.keys(given)
  if (!access.person.hyper) throw new AppError('hyper_only', {}, { at: fields })
  if (email !== null) return
  const withoutEmail = problem('no_email_to_sign_in')
  throw new AppError('bad_request', {}, { fields: Object.fromEntries(fields.map((field) => [field, withoutEmail])) })
}

const ofRole = ['role', 'status', 'validFrom', 'validUntil'] as const
type OfRole = (typeof ofRole)[number]

/** The same moment is written in more than one way. */
function isAnother(wanted: unknown, before: unknown) {
  if (wanted === undefined || wanted === before) return false
  return !(typeof wanted === 'string' && typeof before === 'string' && Date.parse(wanted) === Date.parse(before))
}

function demandRole(access: Access, { role, field }: { role: unknown; field: OfRole }) {
  const subject: Role = z.enum(roles).parse(role)
  demandField(access, { field, subject })
}

/** Whoever confirms that a person needs their access, or takes that back: never for themselves. */
function demandRecertifying(access: Access, person: unknown) {
  demand(access, { action: 'recertify', subject: users.subject })
  if (person === access.person._id) throw new AppError('own_access')
}

function ownRole(field: OfRole) {
  return new AppError('own_role', {}, { at: [field] })
}
