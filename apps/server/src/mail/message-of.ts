import type { Language } from '@portcullis/contract/languages'
import type { MailContent, MailKind } from './mail-content.ts'
import { englishMails, type MailTexts } from './mail-texts.ts'
import { spanishMails } from './mail-texts.es.ts'

const texts: Readonly<Record<Language, MailTexts>> = { en: englishMails, es: spanishMails }

/** The text of an email: sentences, a link if there is something to do, and advice if the user did not cause it. */
export type Message = {
  subject: string
  sentences: readonly string[]
  link?: { label: string; path: string }
  afterwards: readonly string[]
}

type MessageInput = {
  product: string
  to: { person: string; name: string; email: string; language: Language }
  content: MailContent
}

/** The text of an email. Links open pages that then call the server, so opening one changes nothing by itself. */
export function messageOf({ product, to, content }: MessageInput): Message {
  const { greeting, [content.kind]: text } = texts[to.language]
  const { name, email } = to
  const { kind, ...values } = content
  const worded = 'doors' in values ? inWords(values, to.language) : values
  const fill = (template: string) => fillIn(template, { product, name, email, ...worded })
  return {
    subject: subjectOf(kind, { product, language: to.language }),
    sentences: [greeting, text.sentence].map(fill),
    ...('token' in content && text.button !== undefined
      ? { link: { label: text.button, path: pathOf(content, to) } }
      : {}),
    afterwards: text.afterwards,
  }
}

export function subjectOf(kind: MailKind, { product, language }: { product: string; language: Language }) {
  return fillIn(texts[language][kind].subject, { product })
}

type Linked = Extract<MailContent, { token: string }>

/** A secret after `#` is not sent to the server with the page, so it is in no log. */
function pathOf({ kind, token }: Linked, { person }: { person: string }) {
  if (kind === 'guest_link') return `/guest#${token}`
  if (kind === 'membership') return `/authentication/invitation#${token}`
  return `/authentication/${pages[kind]}/${person}/${token}`
}

type Hours = { doors: string[]; from: string; until: string; timeZone: string }

/** The doors and hours of a guest, the hours at the site. */
function inWords<T extends Hours>({ doors, from, until, ...rest }: T, language: Language) {
  const moment = new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: rest.timeZone,
  })
  return {
    ...rest,
    doors: new Intl.ListFormat(locales[language]).format(doors),
    from: moment.format(new Date(from)),
    until: moment.format(new Date(until)),
  }
}

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', es: 'es-ES' }

/** The page that the link of another email opens. */
const pages = {
  reset: 'password-reset',
  invitation: 'password-reset',
  verification: 'email-confirm',
  email_change_old: 'email-confirm',
  email_change_new: 'email-confirm',
} as const

function fillIn(template: string, values: Readonly<Record<string, string>>) {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
}
