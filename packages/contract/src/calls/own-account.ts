import { z } from 'zod'
import { defineCall, schemaNames } from '../call.ts'
import { language, name } from '../names.ts'
import { newPassword } from '../passwords.ts'
import { currentUser, login, me } from './authentication.ts'

const userParam = { id: 'The `_id` of the user, or `me`.' } as const

export const patchMe = defineCall({
  id: 'patch-me',
  method: 'PATCH',
  path: '/api/users/me',
  tag: 'session',
  summary: "Change the current user's name or language, or accept policies",
  description:
    'The policies in the body are accepted as of now, whatever date is sent, except those with the date that was read. All other fields of the user are read-only: the body may have them as they were read.',
  access: 'optional account',
  /** The current user as it was read, with changes. */
  input: z
    .strictObject({
      ...currentUser.shape,
      name: name(),
      /** Of the console and of emails; null for the language of the browser. */
      language: language().nullable(),
      consent: z.strictObject(currentUser.shape.consent.shape),
    })
    .partial()
    .register(schemaNames, { id: 'PatchMe' }),
  output: me,
  returns: 'The user, the account and their rights in it.',
})

export const changePassword = defineCall({
  id: 'change-password',
  method: 'PUT',
  path: '/api/users/{id}/password',
  tag: 'session',
  summary: "Change the current user's password",
  description:
    'All other sessions of the user end, and this one gets a new cookie. A 422 `weak_password` says what would make the new password stronger.',
  access: 'session',
  params: userParam,
  input: z
    .strictObject({ oldPassword: z.string().min(1).max(1_024), newPassword: newPassword() })
    .register(schemaNames, { id: 'ChangePassword' }),
  returns: 'The password is changed.',
  errors: ['wrong_credentials', 'weak_password', 'same_password', 'conflict', 'others_password'],
})

export const changeEmail = defineCall({
  id: 'change-email',
  method: 'POST',
  path: '/api/users/me/email',
  tag: 'session',
  summary: "Request a change of the current user's email",
  description:
    'Both addresses get an email, and the change is made once both have confirmed. The response is the same if another user has the address.',
  access: 'session',
  input: z.strictObject({ email: login.input.shape.email }).register(schemaNames, { id: 'ChangeEmail' }),
  returns: 'The emails are on their way.',
  needsFreshSignIn: true,
  errors: ['same_email', 'too_many'],
})

export const pendingEmail = defineCall({
  id: 'pending-email',
  method: 'GET',
  path: '/api/users/me/email',
  tag: 'session',
  summary: 'Get the pending change of email',
  access: 'session',
  output: z
    .object({
      email: z.string(),
      oldConfirmed: z.boolean(),
      newConfirmed: z.boolean(),
      expiresAt: z.iso.datetime(),
    })
    .nullable()
    .register(schemaNames, { id: 'PendingEmail' }),
  returns: 'The change, or null.',
})

export const takeBackEmail = defineCall({
  id: 'take-back-email',
  method: 'DELETE',
  path: '/api/users/me/email',
  tag: 'session',
  summary: 'Cancel the pending change of email',
  access: 'session',
  returns: 'No change is pending, and the links in the emails no longer work.',
})

export const sendVerification = defineCall({
  id: 'send-verification',
  method: 'GET',
  path: '/api/users/{id}/verify',
  tag: 'session',
  summary: 'Send the email that confirms an email address',
  description:
    'To the current user, even before their email is confirmed. With the right to manage Users also to another user, who is invited again if they have no password yet. It sends mail, so it is guarded like a write.',
  access: 'optional account',
  hasEffect: true,
  servesWithout: ['verified email'],
  params: userParam,
  returns: 'The email is on its way.',
  errors: ['not_found', 'no_email', 'email_confirmed', 'too_many', 'unverified'],
})

export const resendVerification = defineCall({
  id: 'resend-verification',
  method: 'POST',
  path: '/api/users/{id}/resendVerificationToken',
  tag: 'session',
  summary: 'Send the email that confirms an email address again',
  description: 'The same as GET /api/users/{id}/verify.',
  access: 'optional account',
  servesWithout: ['verified email'],
  params: userParam,
  returns: 'The email is on its way.',
  errors: ['not_found', 'no_email', 'email_confirmed', 'too_many', 'unverified'],
})

export const verifyEmail = defineCall({
  id: 'verify-email',
  method: 'GET',
  path: '/api/users/{id}/verify/{token}',
  tag: 'session',
  summary: 'Confirm an email address, or one side of a change, with the link from an email',
  description:
    'The page that the link opens makes this call. It changes something, so it is guarded like a write. Returns 422 `link_ended` if the link no longer works.',
  access: 'none',
  hasEffect: true,
  params: { id: 'The user, from the link.', token: 'The secret, from the link.' },
  output: z
    .object({ outcome: z.enum(['verified', 'change_waits_for_other_address', 'changed']) })
    .register(schemaNames, { id: 'Verified' }),
  returns: 'The outcome.',
  errors: ['link_ended', 'taken'],
})
