import { z } from 'zod'
import { actions, roles, subjects } from '../abilities.ts'
import { type AccountStatus, accountStatuses } from '../collections/accounts.ts'
import { accountRef } from '../names.ts'
import { assumption } from './assume-account.ts'

const consent = z.object({
  eula: z.iso.datetime(),
  privacy: z.iso.datetime(),
  terms: z.iso.datetime(),
  disclaimer: z.iso.datetime(),
})

/** The person who is signed in, with every account that they hold a role on. */
export const currentUser = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  img: z.string().nullable(),
  role: z.enum(roles).nullable(),
  hyper: z.boolean(),
  idleTime: z.int(),
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
  /** Changes with the account's picture; null where there is none. */
  image: z.string().nullable(),
  /** Refs of all accounts below. */
  descendants: z.array(z.string()),
})
export type CurrentAccount = z.output<typeof currentAccount>

/**
 * One's second factor. `enrolled`: there is an authenticator. `enabled`: its codes are asked for at one's sign-in. `enforced`
 * by an account one belongs to: codes are asked for, and that can't be turned off.
 */
export const ownMfa = z.object({
  enrolled: z.boolean(),
  enabled: z.boolean(),
  enforced: z.boolean(),
  recoveryCodesLeft: z.int(),
})
export type OwnMfa = z.output<typeof ownMfa>

/** `GET /api/users/me`: the user, the account of the request's header and what may be done in it. */
export const me = z.object({
  user: currentUser,
  account: currentAccount.nullable(),
  rules: z.array(abilityRule),
  mfa: ownMfa,
  /** Where a hyper user acts inside the account and has said why. */
  assumption: assumption.optional(),
})
export type Me = z.output<typeof me>

/**
 * `POST /api/auth/login`. `mfa`: a one-time code is owed; until it is given the session may call `users/mfasetup` and
 * `auth/mfa` only (anything else: 403 `code_owed`), and lives five minutes. `mfaEnrolled`: there is an authenticator to ask;
 * otherwise it is set up first.
 */
export const login = {
  input: z.strictObject({
    email: z.string().trim().toLowerCase().pipe(z.email()).pipe(z.string().max(254)),
    password: z.string().min(1).max(1_024),
    type: z.enum(['Local', 'SRP', 'CustomFederated']).default('Local'),
    provider: z.string().max(100).optional(),
  }),
  output: z.object({ verified: z.boolean(), mfa: z.boolean(), mfaEnrolled: z.boolean(), currentUser }),
}

/** `POST /api/auth/confirm`: the password once more, and a code where one is enrolled, before what needs a fresh sign-in. */
export const confirmIdentity = {
  input: z.strictObject({ password: z.string().min(1).max(1_024), code: z.string().max(20).optional() }),
}

/** `POST /api/auth/activity`: the person moves, types or touches. Answers when the session ends without more of it. */
export const activity = { output: z.object({ endsAt: z.iso.datetime() }) }

/** `GET /api/accounts/hierarchy`: the accounts one may see, nested. */
export type AccountNode = {
  _id: string
  ref: string
  name: string
  status: AccountStatus
  children: AccountNode[]
}
export const accountNode: z.ZodType<AccountNode> = z.object({
  _id: z.uuid(),
  ref: accountRef(),
  name: z.string(),
  status: z.enum(accountStatuses),
  get children() {
    return z.array(accountNode)
  },
})
