import { expect, test } from 'vitest'
import { isEmail } from './is-email.ts'

test.each(['a@b.co', 'thandi.mokoena@harbour-group.example', ' padded@example.com '])(
  '§5 login: %s is an email',
  (value) => {
    expect(isEmail(value)).toBe(true)
  },
)

test.each(['', 'thandi', 'thandi@', '@example.com', 'a@b', 'a b@example.com', 'a@-b.com', 'a@b..com'])(
  '§5 login: "%s" is no email',
  (value) => {
    expect(isEmail(value)).toBe(false)
  },
)
