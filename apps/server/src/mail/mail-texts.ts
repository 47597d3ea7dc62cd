import type { MailKind } from './mail-content.ts'

/** The text of one kind of email, with `{{parameters}}` in it. `button` is the label of its link. */
export type MailText = { subject: string; sentence: string; button?: string; afterwards: readonly string[] }

/** The texts that each language must provide for all emails. */
export type MailTexts = { greeting: string } & Readonly<Record<MailKind, MailText>>

const notMe =
  'If this was not you, reset your password at once with "Forgot password" on the sign-in page, and contact your administrator.'
const noHarm = 'If you did not request this, you can ignore this email.'
const withinADay = 'The link works once, within a day.'

export const englishMails: MailTexts = {
  greeting: 'Hello {{name}},',
  reset: {
    subject: 'Reset your {{product}} password',
    sentence: 'We received a request to reset the password for {{email}}. Set a new password here:',
    button: 'Set a new password',
    afterwards: [
      'The link works once, within an hour. If you did not request this, you can ignore this email: your password stays the same.',
    ],
  },
  invitation: {
    subject: 'Your access to {{product}}',
    sentence:
      '{{account}} has given you access to {{product}}. Sign in with {{email}} and a password that you choose here:',
    button: 'Choose your password',
    afterwards: [
      'The link works once, within 7 days. After that, use "Forgot password" on the sign-in page to get another.',
    ],
  },
  membership: {
    subject: 'Invitation to another account',
    sentence: '{{invitedBy}} invites you to {{account}} on {{product}}. Accept or decline here:',
    button: 'Answer the invitation',
    afterwards: [
      'The link works within 7 days. After that, sign in and open "My profile". If you do not know this account, decline or ignore this email: nothing changes for you.',
    ],
  },
  verification: {
    subject: 'Confirm your email address',
    sentence: 'Please confirm your email address {{email}}:',
    button: 'Confirm your email',
    afterwards: [withinADay, noHarm],
  },
  email_change_old: {
    subject: 'Confirm your email address change',
    sentence:
      'You asked to sign in with {{newEmail}} instead of {{email}}. Please confirm this change here, and with the email sent to your new address:',
    button: 'Confirm the change',
    afterwards: [
      withinADay,
      'If you did not request this, do not confirm the change. Reset your password at once with "Forgot password" on the sign-in page, and contact your administrator.',
    ],
  },
  email_change_new: {
    subject: 'Confirm your new email address',
    sentence:
      'We received a request to sign in to {{product}} with {{newEmail}}. If this was you, please confirm this change here, and with the email sent to your previous address:',
    button: 'Confirm your new email',
    afterwards: [withinADay, noHarm],
  },
  password_changed: {
    subject: 'Your {{product}} password was changed',
    sentence: 'Your password was changed. You have been signed out everywhere else.',
    afterwards: [notMe],
  },
  email_changed: {
    subject: 'Your {{product}} email address was changed',
    sentence: 'You now sign in with {{newEmail}}.',
    afterwards: [
      'If this was not you, contact your administrator at once. The previous address can no longer reset the password.',
    ],
  },
  second_factor_on: {
    subject: 'Two-factor authentication was set up',
    sentence: 'You now need a code from your authenticator app to sign in.',
    afterwards: [notMe],
  },
  second_factor_off: {
    subject: 'Two-factor authentication was turned off',
    sentence: 'You no longer need a code to sign in.',
    afterwards: [notMe],
  },
  second_factor_reset: {
    subject: 'Two-factor authentication was reset',
    sentence: 'An administrator has removed your authenticator app. You can set up another one when you sign in.',
    afterwards: [
      'If you did not ask for this, contact your administrator at once and reset your password with "Forgot password" on the sign-in page.',
    ],
  },
  recovery_codes_renewed: {
    subject: 'Your recovery codes were replaced',
    sentence: 'You have new recovery codes. Previous codes no longer work.',
    afterwards: [notMe],
  },
  recovery_code_used: {
    subject: 'One of your recovery codes was used',
    sentence:
      'One of your recovery codes was used instead of a code from your authenticator app. That recovery code no longer works.',
    afterwards: [notMe],
  },
  codes_locked: {
    subject: 'Too many wrong one-time codes',
    sentence:
      'Your correct password was entered, and then many wrong codes. For up to an hour you can sign in only with a recovery code.',
    afterwards: [notMe],
  },
  guest_link: {
    subject: 'Your link to open doors',
    sentence:
      '{{account}} gives you access to {{doors}} from {{from}} to {{until}} ({{timeZone}}). Open each door here when you are in front of it:',
    button: 'Open the doors',
    afterwards: ['Do not pass this link on: it opens the doors in your name.'],
  },
  guest_code: {
    subject: 'Your code for doors',
    sentence:
      '{{account}} gives you access to {{doors}} from {{from}} to {{until}} ({{timeZone}}). Enter this code on the keypad of the door: {{code}}',
    afterwards: ['Do not pass this code on: it opens the doors in your name.'],
  },
}
