import { z } from 'zod'
import { newPassword } from '../passwords.ts'
import { login } from './authentication.ts'

/** `GET /api/users/forgot`: answers 204, whether or not anybody has this e-mail. */
export const forgotPassword = { input: z.strictObject({ email: login.input.shape.email }) }

/** `PUT /api/users/{id}/forgot/{token}`: answers 204; 422 `link_ended` where the link no longer works. */
export const resetPassword = { input: z.strictObject({ password: newPassword() }) }
