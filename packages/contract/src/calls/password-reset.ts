import { z } from 'zod'
import { defineCall, schemaNames } from '../call.ts'
import { newPassword } from '../passwords.ts'
import { login } from './authentication.ts'

export const forgotPassword = defineCall({
  id: 'forgot-password',
  method: 'GET',
  path: '/api/users/forgot',
  tag: 'session',
  summary: 'Send an email with a link to set a new password',
  description:
    'The response is the same whether or not a user has this email. It sends mail, so it is guarded like a write.',
  access: 'none',
  hasEffect: true,
  query: z.strictObject({ email: login.input.shape.email }),
  returns: 'The email is on its way if there is such a user.',
  errors: ['too_many'],
})

export const resetPassword = defineCall({
  id: 'reset-password',
  method: 'PUT',
  path: '/api/users/{id}/forgot/{token}',
  tag: 'session',
  summary: 'Set a new password with the link from an email',
  description: 'Returns 422 `link_ended` if the link no longer works.',
  access: 'none',
  params: { id: 'The user, from the link.', token: 'The secret, from the link.' },
  input: z.strictObject({ password: newPassword() }).register(schemaNames, { id: 'ResetPassword' }),
  returns: 'The password is set, and previous sessions have ended.',
  errors: ['link_ended', 'weak_password'],
})
