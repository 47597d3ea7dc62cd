import { z } from 'zod'
import { defineCall, manage, schemaNames } from '../call.ts'
import { accounts } from '../collections/accounts.ts'
import { login } from './authentication.ts'
import { fieldCode } from '../errors/field-codes.ts'

/** A one-time code: six digits (specification §5). */
export const oneTimeCode = z.string().regex(/^\d{6}$/, fieldCode('invalid_one_time_code'))

/** One of ten codes for a user who has lost the phone, such as `k7m2-x9qd-4rwt`; dashes and case are ignored. */
export const recoveryCode = z.string().trim().min(12).max(20)

const own = { tag: 'session', access: 'session' } as const

export const mfaSignIn = defineCall({
  ...own,
  id: 'sign-in-with-code',
  method: 'POST',
  path: '/api/auth/mfa',
  summary: 'Complete a sign-in with a one-time code',
  description:
    'Takes a code of the authenticator app or a recovery code; each is accepted once. Until then the session lasts 5 minutes, and every call except this one, the setup for users without an authenticator app, and the sign-out returns 403 `code_owed`. The session gets a new cookie.',
  servesWithout: ['code'],
  input: z
    .union([z.strictObject({ code: oneTimeCode }), z.strictObject({ recoveryCode })])
    .register(schemaNames, { id: 'MfaSignIn' }),
  output: login.output,
  returns: 'The user.',
  errors: ['wrong_code', 'too_many'],
})

export const mfaSetUp = defineCall({
  ...own,
  id: 'begin-mfa-set-up',
  method: 'GET',
  path: '/api/users/mfasetup',
  summary: 'Create a key for an authenticator app',
  description:
    'The key applies once a code of it has been accepted. `qrImage` is a data URL of an image to scan, `key` is base32 in groups of four to type. It stores the key, so it is guarded like a write.',
  hasEffect: true,
  servesWithout: ['code'],
  output: z.object({ qrImage: z.string(), key: z.string() }).register(schemaNames, { id: 'MfaSetUp' }),
  returns: 'The key to scan or type.',
  errors: ['fresh_sign_in_needed', 'code_owed'],
})

export const mfaEnrol = defineCall({
  ...own,
  id: 'complete-mfa-set-up',
  method: 'POST',
  path: '/api/users/mfasetup',
  summary: 'Enrol an authenticator app with a code of its new key',
  description: 'The same code is accepted once more for the sign-in that follows.',
  servesWithout: ['code'],
  input: z.strictObject({ code: oneTimeCode }).register(schemaNames, { id: 'MfaEnrol' }),
  output: z.object({ recoveryCodes: z.array(z.string()) }).register(schemaNames, { id: 'RecoveryCodes' }),
  returns: 'The recovery codes, shown only here.',
  errors: ['wrong_code', 'fresh_sign_in_needed', 'code_owed'],
})

export const enableMfa = defineCall({
  ...own,
  id: 'enable-mfa',
  method: 'POST',
  path: '/api/users/enablemfa',
  summary: 'Require one-time codes when the current user signs in',
  description: 'Returns 422 `mfa_not_enrolled` if no authenticator app is enrolled.',
  returns: 'Codes are required.',
  needsFreshSignIn: true,
  errors: ['mfa_not_enrolled', 'mfa_enforced'],
})

export const disableMfa = defineCall({
  ...own,
  id: 'disable-mfa',
  method: 'POST',
  path: '/api/users/disablemfa',
  summary: 'Stop requiring one-time codes when the current user signs in',
  description:
    'Returns 422 `mfa_enforced` if an account of the user enforces them, or the user is a hyper user in production.',
  returns: 'Codes are no longer required.',
  needsFreshSignIn: true,
  errors: ['mfa_not_enrolled', 'mfa_enforced'],
})

export const renewRecoveryCodes = defineCall({
  ...own,
  id: 'renew-recovery-codes',
  method: 'POST',
  path: '/api/users/recoveryCodes',
  summary: 'Create ten new recovery codes and revoke the previous ones',
  output: mfaEnrol.output,
  returns: 'The codes, shown only here.',
  needsFreshSignIn: true,
  errors: ['mfa_not_enrolled', 'mfa_enforced'],
})

export const resetMfa = defineCall({
  id: 'reset-mfa',
  method: 'POST',
  path: '/api/users/{id}/mfaReset',
  tag: 'users',
  summary: "Remove a user's authenticator app, so that they set up a new one",
  description: "Also needs the right to manage the user's role, in the user's home account.",
  access: 'account',
  abilities: [manage('MFA')],
  needsFreshSignIn: true,
  params: { id: 'The _id of the user.' },
  returns: 'The authenticator app is removed.',
  errors: ['not_found', 'mfa_home_account', 'hyper_only', 'role_out_of_reach'],
})

export const enforceMfa = defineCall({
  id: 'enforce-mfa',
  method: 'POST',
  path: '/api/accounts/{id}/enforceMFA',
  tag: 'accounts',
  summary: 'Require one-time codes from all users of an account and of those below it, or stop requiring them',
  description: 'To stop requiring them needs a fresh sign-in.',
  access: 'account',
  abilities: [manage('Accounts')],
  params: { id: 'The _id of the account.' },
  input: z.strictObject({ enforce: z.boolean() }),
  output: accounts.entitySchema,
  isRecorded: true,
  returns: 'The account.',
  errors: ['not_found', 'fresh_sign_in_needed'],
})
