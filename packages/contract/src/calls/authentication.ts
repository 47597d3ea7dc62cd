import { z } from 'zod'
import { actions, roles, subjects } from '../abilities.ts'
import { defineCall, schemaNames } from '../call.ts'
import { type AccountStatus, accountStatuses } from '../collections/accounts.ts'
import { accountRef, language } from '../names.ts'
import { assumption } from './assume-account.ts'

const consent = z.object({
  eula: z.iso.datetime(),
  privacy: z.iso.datetime(),
  terms: z.iso.datetime(),
  disclaimer: z.iso.datetime(),
})

/** The user who is signed in, with every account in which they hold a role. */
export const currentUser = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  img: z.string().nullable(),
  role: z.enum(roles).nullable(),
  hyper: z.boolean(),
  idleTime: z.int(),
  /** The language that the user has chosen; null for that of their browser. */
  language: language().nullable(),
  verified: z.boolean(),
  accounts: z.array(z.object({ ref: z.string(), role: z.enum(roles), name: z.string() })),
  consent: consent.partial(),
})
export type CurrentUser = z.output<typeof currentUser>

const abilityRule = z.object({
  action: z.enum(actions),
  subject: z.union([z.enum(subjects), z.literal('all')]),
})

export const currentAccount = z.object({
  _id: z.uuid(),
  ref: z.string(),
  name: z.string(),
  role: z.enum(roles).nullable(),
  inherited: z.boolean().optional(),
  defaultTimeZone: z.string(),
  /** Changes with the account's picture; null if there is none. */
  image: z.string().nullable(),
  /** Refs of all accounts below. */
  descendants: z.array(z.string()),
})
export type CurrentAccount = z.output<typeof currentAccount>

/**
 * The second factor of the user. `enrolled`: there is an authenticator app. `enabled`: signing in requires its codes.
 * `enforced`: an account of the user requires codes, so they cannot be turned off.
 */
export const ownMfa = z.object({
  enrolled: z.boolean(),
  enabled: z.boolean(),
  enforced: z.boolean(),
  recoveryCodesLeft: z.int(),
})
export type OwnMfa = z.output<typeof ownMfa>

export const me = z
  .object({
    user: currentUser,
    account: currentAccount.nullable(),
    rules: z.array(abilityRule),
    mfa: ownMfa,
    /** Set while a hyper user acts inside the account and has given a reason. */
    assumption: assumption.optional(),
  })
  .register(schemaNames, { id: 'Me' })
export type Me = z.output<typeof me>

export const whoAmI = defineCall({
  id: 'me',
  method: 'GET',
  path: '/api/users/me',
  tag: 'session',
  summary: 'Get the current user and their rights in the account',
  access: 'optional account',
  servesWithout: ['verified email'],
  output: me,
  returns: 'The user, the account and their rights in it.',
})

export const login = defineCall({
  id: 'login',
  method: 'POST',
  path: '/api/auth/login',
  tag: 'session',
  summary: 'Sign in',
  description:
    'Sets the session cookie, which every other call needs. X-JS-ACCOUNT is `null` here. If `mfa` is true, a one-time code is required next: until then the session lasts 5 minutes and can call only `users/mfasetup` and `auth/mfa`. If `mfaEnrolled` is false, the user sets up an authenticator app first.',
  access: 'none',
  input: z
    .strictObject({
      email: z.string().trim().toLowerCase().pipe(z.email()).pipe(z.string().max(254)),
      password: z.string().min(1).max(1_024),
      type: z.enum(['Local', 'SRP', 'CustomFederated']).default('Local'),
      provider: z.string().max(100).optional(),
    })
    .register(schemaNames, { id: 'Login' }),
  output: z
    .object({ verified: z.boolean(), mfa: z.boolean(), mfaEnrolled: z.boolean(), currentUser })
    .register(schemaNames, { id: 'LoggedIn' }),
  returns: 'The user, and the steps that are still missing.',
  errors: ['wrong_credentials', 'suspended', 'too_many'],
})

export const logout = defineCall({
  id: 'logout',
  method: 'POST',
  path: '/api/auth/logout',
  tag: 'session',
  summary: 'Sign out',
  description: 'Ends the session. Returns the same if there is none.',
  access: 'none',
  returns: 'There is no session.',
})

export const confirmIdentity = defineCall({
  id: 'confirm-identity',
  method: 'POST',
  path: '/api/auth/confirm',
  tag: 'session',
  summary: 'Confirm the password again',
  description:
    'Calls that concern the security of the user need a sign-in, or this, within the last ten minutes; otherwise they return 403 `fresh_sign_in_needed`. A user with an authenticator app gives a code too. The session gets a new cookie; requests under way can use the old one for half a minute.',
  access: 'session',
  servesWithout: ['verified email'],
  input: z
    .strictObject({ password: z.string().min(1).max(1_024), code: z.string().max(20).optional() })
    .register(schemaNames, { id: 'ConfirmIdentity' }),
  returns: 'The sign-in is fresh.',
  errors: ['wrong_credentials', 'wrong_code', 'conflict', 'too_many'],
})

export const activity = defineCall({
  id: 'activity',
  method: 'POST',
  path: '/api/auth/activity',
  tag: 'session',
  summary: 'Keep the session alive',
  description:
    'A session ends a minute after the idle time of its user without this, and twelve hours after the sign-in; no other call counts as activity. The console sends it while the user moves, types or touches. A program sends it as often as it needs, or signs in again.',
  access: 'session',
  servesWithout: ['verified email'],
  output: z.object({ endsAt: z.iso.datetime() }).register(schemaNames, { id: 'Activity' }),
  returns: 'When the session ends unless there is more activity.',
})

/** An account that the user can see, with those below it. */
export type AccountNode = {
  _id: string
  ref: string
  name: string
  status: AccountStatus
  children: AccountNode[]
}
export const accountNode: z.ZodType<AccountNode> = z
  .object({
    _id: z.uuid(),
    ref: accountRef(),
    name: z.string(),
    status: z.enum(accountStatuses),
    get children() {
      return z.array(accountNode)
    },
  })
  .register(schemaNames, { id: 'AccountNode' })

export const accountHierarchy = defineCall({
  id: 'account-hierarchy',
  method: 'GET',
  path: '/api/accounts/hierarchy',
  tag: 'accounts',
  summary: 'List the accounts that the user can see as a tree',
  access: 'session',
  output: z.array(accountNode),
  returns: 'The topmost accounts, each with those below it.',
})
