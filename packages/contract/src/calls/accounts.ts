import { z } from 'zod'
import { roles } from '../abilities.ts'
import { defineCall, manage } from '../call.ts'
import { accounts } from '../collections/accounts.ts'

/** A user's role in the moved account before and after the move; `null` is none. */
const roleChange = z.object({
  _id: z.uuid(),
  name: z.string(),
  before: z.enum(roles).nullable(),
  after: z.enum(roles).nullable(),
})
export type RoleChange = z.output<typeof roleChange>

/** The number of users, and the first of them by name, as far as the caller may see them. */
export const roleChanges = z.object({ count: z.int(), people: z.array(roleChange) })

/** The maximum number of users who are named; all are counted. */
export const maxNamedUsers = 50

const belowCurrent = { id: 'The _id of an account below that of X-JS-ACCOUNT.' } as const
const current = { id: 'The _id of the account of X-JS-ACCOUNT.' } as const

export const moveAccount = defineCall({
  id: 'move-account',
  method: 'POST',
  path: '/api/accounts/{id}/move',
  tag: 'accounts',
  summary: 'Move an account and everything below it to another parent account',
  description:
    'Needs the right to manage Accounts in the account, in its parent and in the new parent. Both parents are the account of X-JS-ACCOUNT or lie below it. With `dryRun` nothing changes, and the response lists the users who would gain or lose access. Returns 422 `account_below_itself` if the account would end up below itself, and 409 `accounts_changed` if the tree has changed in the meantime.',
  access: 'account',
  params: belowCurrent,
  input: z.strictObject({ parent: z.uuid(), dryRun: z.boolean().default(false) }),
  output: z.object({
    /** Whether the account now has the new parent and had another one before. */
    moved: z.boolean(),
    account: accounts.entitySchema,
    /** Users who gain access, who lose it, and who keep it in another role. Hyper users always have access. */
    gains: roleChanges,
    loses: roleChanges,
    changes: roleChanges,
  }),
  isRecorded: true,
  returns: 'The account, and the users whose access the move changes.',
  errors: ['not_found', 'accounts_changed', 'account_below_itself', 'account_is_current', 'unknown_reference'],
})
export type MovedAccount = z.output<typeof moveAccount.output>

export const suspendAccount = defineCall({
  id: 'suspend-account',
  method: 'POST',
  path: '/api/accounts/{id}/suspend',
  tag: 'accounts',
  summary: 'Suspend an account and everything below it',
  description:
    'Takes effect at once: roles held in the account or below it no longer apply, their requests are refused and their real-time rooms closed, and controllers keep working with the configuration they have but get no new one. Roles held above the account still apply. Needs the right to manage Accounts in the account and in its parent.',
  access: 'account',
  abilities: [manage('Accounts')],
  needsFreshSignIn: true,
  params: belowCurrent,
  output: accounts.entitySchema,
  isRecorded: true,
  returns: 'The account.',
  errors: ['not_found', 'account_is_current'],
})

export const restoreAccount = defineCall({
  id: 'restore-account',
  method: 'POST',
  path: '/api/accounts/{id}/restore',
  tag: 'accounts',
  summary: 'Restore a suspended account',
  description: 'Needs the right to manage Accounts in the account and in its parent.',
  access: 'account',
  abilities: [manage('Accounts')],
  needsFreshSignIn: true,
  params: belowCurrent,
  output: accounts.entitySchema,
  isRecorded: true,
  returns: 'The account.',
  errors: ['not_found', 'account_is_current'],
})

export const accountImage = defineCall({
  id: 'account-image',
  method: 'GET',
  path: '/api/accounts/{id}/image',
  tag: 'accounts',
  summary: 'Get the picture of an account',
  description: 'For users who can see the account. With `If-None-Match` it returns 304 if the picture has not changed.',
  access: 'session',
  params: { id: 'The ref of the account, or its _id.' },
  download: ['image/webp'],
  returns: 'The picture; its longer side has at most 256 px.',
  errors: ['not_found'],
})

/** The largest file that can be uploaded as a picture. */
export const maxImageBytes = 2 * 1024 * 1024

export const setAccountImage = defineCall({
  id: 'set-account-image',
  method: 'PUT',
  path: '/api/accounts/{id}/image',
  tag: 'accounts',
  summary: 'Set the picture of the account',
  description:
    'Takes PNG, JPEG or WebP of at most 2 MB and 25 megapixels; the type is detected from the content. The server stores a small, upright copy without the metadata of the file.',
  access: 'account',
  abilities: [manage('Accounts')],
  params: current,
  upload: ['image/png', 'image/jpeg', 'image/webp', 'application/octet-stream'],
  bodyLimit: maxImageBytes,
  isRecorded: true,
  returns: 'The picture is stored.',
  errors: ['not_found', 'bad_request', 'too_large'],
})

export const removeAccountImage = defineCall({
  id: 'remove-account-image',
  method: 'DELETE',
  path: '/api/accounts/{id}/image',
  tag: 'accounts',
  summary: 'Remove the picture of the account',
  access: 'account',
  abilities: [manage('Accounts')],
  params: current,
  isRecorded: true,
  returns: 'The account has no picture.',
  errors: ['not_found'],
})
