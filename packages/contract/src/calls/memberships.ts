import { z } from 'zod'
import { roles } from '../abilities.ts'
import { defineCall, manage, schemaNames, view } from '../call.ts'
import { users } from '../collections/users.ts'
import { id } from '../fields.ts'

const { optional } = users.fields

/** The maximum number of accounts to which a user is added at once. */
export const maxAddedAccounts = 50

const userAccount = z.object({
  _id: z.uuid(),
  ref: z.string(),
  name: z.string(),
  role: z.enum(roles),
  status: optional.status.unwrap(),
  /** The user has an email, and has not confirmed it or accepted the membership yet. */
  isInvited: z.boolean(),
})
export type UserAccount = z.output<typeof userAccount>

const listOfAccounts = z.object({ items: z.array(userAccount) }).register(schemaNames, { id: 'UserAccounts' })

const ofUser = { id: 'The `_id` of the user.' } as const

export const userAccounts = defineCall({
  id: 'user-accounts',
  method: 'GET',
  path: '/api/users/{id}/accounts',
  tag: 'users',
  summary: 'List the accounts and roles of a user',
  description: 'Only accounts whose users the current user may see.',
  access: 'account',
  abilities: [view('Users')],
  params: ofUser,
  output: listOfAccounts,
  returns: 'The accounts, by name.',
  errors: ['not_found'],
})

export const addAccounts = defineCall({
  id: 'add-accounts',
  method: 'PATCH',
  path: '/api/users/{id}/addAccounts',
  tag: 'users',
  summary: 'Add a user to further accounts',
  description:
    'All or none of them. The current user must be allowed to create a user with this role in each account. A user who signs in accepts each membership themselves, by the link in an email or in the console; until then it gives no rights in the console.',
  access: 'account',
  abilities: [manage('Users')],
  params: ofUser,
  input: z
    .strictObject({ accountIds: z.array(id()).min(1).max(maxAddedAccounts), role: z.enum(roles).default('appUser') })
    .register(schemaNames, { id: 'AddAccounts' }),
  output: listOfAccounts,
  returns: 'All accounts of the user that the current user may see.',
  errors: ['not_found', 'unknown_reference', 'already_member', 'taken'],
})

export const removeAccount = defineCall({
  id: 'remove-account',
  method: 'PATCH',
  path: '/api/users/{id}/removeAccount',
  tag: 'users',
  summary: 'Remove a user from an account',
  description:
    'Their role there and their access at its doors end at once. Their credentials of this account are kept without a user, and rules and groups no longer contain the user. The last account that the current user may see cannot be removed: delete the user instead.',
  access: 'account',
  abilities: [manage('Users')],
  params: ofUser,
  input: z.strictObject({ account: id() }).register(schemaNames, { id: 'RemoveAccount' }),
  output: listOfAccounts,
  isRecorded: true,
  returns: 'The remaining accounts of the user that the current user may see.',
  errors: ['not_found', 'unknown_reference', 'own_role', 'last_account'],
})

const invitation = z.object({
  account: z.string(),
  role: z.enum(roles),
  invitedBy: z.string(),
})

const ownInvitation = invitation.extend({ _id: z.uuid(), createdAt: z.iso.datetime() })
export type OwnInvitation = z.output<typeof ownInvitation>

export const ownInvitations = defineCall({
  id: 'own-invitations',
  method: 'GET',
  path: '/api/users/me/invitations',
  tag: 'session',
  summary: 'List the accounts that have invited the current user',
  access: 'session',
  output: z.object({ items: z.array(ownInvitation) }).register(schemaNames, { id: 'OwnInvitations' }),
  returns: 'The invitations, oldest first.',
})

const answer = z.strictObject({ accept: z.boolean() })

export const answerOwnInvitation = defineCall({
  id: 'answer-own-invitation',
  method: 'POST',
  path: '/api/users/me/invitations/{id}',
  tag: 'session',
  summary: 'Accept or decline an invitation to an account',
  description:
    'Accepting gives the current user the role in that account. The account is not notified of a declined invitation, and keeps the user as a cardholder.',
  access: 'session',
  params: { id: 'The `_id` of the invitation.' },
  input: answer.register(schemaNames, { id: 'AnswerInvitation' }),
  returns: 'The invitation is answered.',
  errors: ['link_ended', 'already_member'],
})

const token = z.string().max(200)

export const readInvitation = defineCall({
  id: 'read-invitation',
  method: 'POST',
  path: '/api/invitation',
  tag: 'session',
  summary: 'Read an invitation to an account, with the link from an email',
  description: 'The secret of the link is in the body, so that it is in no URL and no log.',
  access: 'none',
  input: z.strictObject({ token }),
  output: invitation.register(schemaNames, { id: 'Invitation' }),
  returns: 'The account, the role, and the user who invites.',
  errors: ['link_ended', 'too_many'],
})

export const answerInvitation = defineCall({
  id: 'answer-invitation',
  method: 'POST',
  path: '/api/invitation/answer',
  tag: 'session',
  summary: 'Accept or decline an invitation to an account, with the link from an email',
  access: 'none',
  input: answer.extend({ token }),
  returns: 'The invitation is answered.',
  errors: ['link_ended', 'already_member', 'too_many'],
})
