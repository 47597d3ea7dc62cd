import type { MailContent, MailKind } from './mail-content.ts'

/** What a mail says: sentences, a link where there is something to do, and what to do where it was somebody else. */
export type Message = {
  subject: string
  sentences: readonly string[]
  link?: { label: string; path: string }
  afterwards: readonly string[]
}

type Told = { product: string; person: string; email: string; content: MailContent }

/** The words of a mail. The links lead to pages, which then ask the server: opening one changes nothing by itself. */
export function messageOf({ content, ...told }: Told): Message {
  return { subject: subjectOf(content.kind, told.product), ...bodyOf({ content, ...told }) }
}

export function subjectOf(kind: MailKind, product: string) {
  switch (kind) {
    case 'reset':
      return `Reset your ${product} password`
    case 'invitation':
      return `Your access to ${product}`
    case 'verification':
      return 'Confirm your email address'
    case 'email_change_old':
      return 'Confirm that your email address changes'
    case 'email_change_new':
      return 'Confirm your new email address'
    case 'password_changed':
      return `Your ${product} password was changed`
    case 'email_changed':
      return `Your ${product} email address was changed`
    case 'second_factor_on':
      return 'Two-factor sign-in was set up'
    case 'second_factor_off':
      return 'Two-factor sign-in was turned off'
    case 'second_factor_reset':
      return 'Two-factor sign-in was reset'
    case 'recovery_codes_renewed':
      return 'Your recovery codes were renewed'
    case 'recovery_code_used':
      return 'A recovery code of yours was used'
    case 'codes_locked':
      return 'Too many wrong codes at your sign-in'
  }
}

const notMe =
  'If this was not you, reset your password at once with "Forgot password" on the sign-in page, and tell your administrator.'
const noHarm = 'If you did not ask for this, you need do nothing.'

function bodyOf({ product, person, email, content }: Told): Omit<Message, 'subject'> {
  const page = (path: string, token: string) => `/authentication/${path}/${person}/${token}`
  switch (content.kind) {
    case 'reset':
      return {
        sentences: [`Somebody, most likely you, has asked for a new password for ${email}. This link sets it:`],
        link: { label: 'Set a new password', path: page('password-reset', content.token) },
        afterwards: [
          'It works once, within an hour. If you did not ask for it, you need do nothing: your password stays as it is.',
        ],
      }
    case 'invitation':
      return {
        sentences: [
          `${content.account} has given you access to ${product}. You sign in with ${email}, and with a password that you choose here:`,
        ],
        link: { label: 'Choose your password', path: page('password-reset', content.token) },
        afterwards: [
          'The link works once, within seven days. Later, "Forgot password" on the sign-in page sends another.',
        ],
      }
    case 'verification':
      return {
        sentences: [`Please confirm that ${email} is yours:`],
        link: { label: 'Confirm your email', path: page('email-confirm', content.token) },
        afterwards: ['The link works once, within a day.', noHarm],
      }
    case 'email_change_old':
      return {
        sentences: [
          `You have asked to sign in with ${content.newEmail} instead of ${email}. Please confirm it here, and by the mail at your new address:`,
        ],
        link: { label: 'Confirm the change', path: page('email-confirm', content.token) },
        afterwards: ['The link works once, within a day.', `If you did not ask for this, don't confirm it. ${notMe}`],
      }
    case 'email_change_new':
      return {
        sentences: [
          `Somebody has asked to sign in to ${product} with ${content.newEmail}. If it was you, please confirm it here, and by the mail at your address of before:`,
        ],
        link: { label: 'Confirm your new email', path: page('email-confirm', content.token) },
        afterwards: ['The link works once, within a day.', noHarm],
      }
    case 'password_changed':
      return notice('Your password was changed. Wherever else you were signed in, you have been signed out.')
    case 'email_changed':
      return notice(`You sign in with ${content.newEmail} from now on.`)
    case 'second_factor_on':
      return notice('From now on a code of your authenticator app is asked for when you sign in.')
    case 'second_factor_off':
      return notice('From now on no code is asked for when you sign in.')
    case 'second_factor_reset':
      return notice('An administrator has removed your authenticator app. You can set up another one when you sign in.')
    case 'recovery_codes_renewed':
      return notice('You have new recovery codes. Those of before no longer work.')
    case 'recovery_code_used':
      return notice(
        'One of your recovery codes was used in place of a code of your authenticator app. It works no more.',
      )
    case 'codes_locked':
      return notice(
        'Somebody who knows your password has tried many wrong codes. For an hour at most only recovery codes are taken.',
      )
  }
}

function notice(sentence: string) {
  return { sentences: [sentence], afterwards: [notMe] }
}
