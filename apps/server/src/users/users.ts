import { type Role, roles } from '@portcullis/contract/abilities'
import { users } from '@portcullis/contract/collections/users'
import { z } from 'zod'
import { type Access, demandField } from '../abilities/access.ts'
import type { ServerHalf } from '../collections/server-half.ts'
import { AppError } from '../http/app-error.ts'
import { inviteNew } from '../sessions/password-link.ts'

/** A role is given, changed and taken by who may manage its subject in the account, and never one's own (design §3). */
export const usersHalf: ServerHalf = {
  async beforeCreate({ access }, item) {
    demandRole(access, item['role'])
    if (item['idleTime'] !== initialIdleTime) demandField(access, { field: 'idleTime', subject: 'idleTime' })
    return {}
  },

  /** Whoever has an e-mail can sign in: they are asked to choose a password. */
  async afterCreate({ tx, access }, item) {
    if (item['email'] === null || item['status'] !== 'active') return
    await inviteNew(tx, { person: z.uuid().parse(item['_id']), account: access.account })
  },

  async beforePatch({ access }, { before, changes }) {
    const { role, idleTime } = changes
    if (role !== undefined && role !== before['role']) {
      if (before['_id'] === access.person._id) throw ownRole()
      demandRole(access, before['role'])
      demandRole(access, role)
    }
    if (idleTime !== undefined && idleTime !== before['idleTime']) {
      demandField(access, { field: 'idleTime', subject: 'idleTime' })
    }
    return {}
  },

  async beforeDelete({ access }, before) {
    if (before['_id'] === access.person._id) throw ownRole()
    demandRole(access, before['role'])
  },
}

const initialIdleTime = users.optional.idleTime.parse(undefined)

function demandRole(access: Access, value: unknown) {
  const role: Role = z.enum(roles).parse(value)
  demandField(access, { field: 'role', subject: role })
}

function ownRole() {
  const message = 'Nobody changes or ends their own role.'
  return new AppError('forbidden', message, { fields: { role: message } })
}
