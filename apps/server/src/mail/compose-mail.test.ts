import { brands } from '@portcullis/contract/brands'
import { expect, test } from 'vitest'
import { composeMail } from './compose-mail.ts'
import { logoOf } from './logo-of.ts'
import { linkUrl } from './mail-brand.ts'
import { type MailContent, mailContent } from './mail-content.ts'

const token = 'a'.repeat(43)
const person = '0199aa11-2233-7abc-8def-001122334455'
const to = { person, name: 'Siobhán "Shiv" <O\'Reilly>', email: 'siobhan@harbour.example', language: 'en' } as const
const url = 'https://doors.example.com'
const evil = '<script>alert(1)</script>'

/** One email of each kind, with a script in place of user input. */
const mails = mailContent.options.map(({ shape }) =>
  mailContent.parse({
    kind: shape.kind.value,
    token,
    account: evil,
    invitedBy: evil,
    newEmail: 'new@harbour.example',
    code: '482913',
    doors: [evil, 'Gate'],
    from: '2026-11-20T06:00:00.000Z',
    until: '2026-11-20T16:00:00.000Z',
    timeZone: 'Africa/Johannesburg',
  }),
)

test.each(mails.map((content) => [content.kind, content] as const))(
  'the email %s has the same content as text and as HTML, escapes user input, and loads nothing',
  (_kind, content) => {
    const { subject, text, html } = composeMail({ brand: brands.portcullis, url, to, content })
    expect(subject).not.toBe('')
    expect(html).not.toMatch(/<(?:script|link|table|style)|url\(/)
    expect(html.match(/ src="[^"]*"/g)).toEqual([' src="cid:logo"'])
    expect(html).not.toContain('"Shiv"')
    expect(readable(html)).toContain(`Hello ${to.name},`)
    for (const paragraph of text.trim().split('\n\n')) expect(readable(html)).toContain(paragraph)
    const links = text.match(/https?:\S+/g) ?? []
    expect(links).toHaveLength('token' in content ? 1 : 0)
    const inFragment = { guest_link: 'guest', membership: 'authentication/invitation' }
    const known = Object.entries(inFragment).find(([kind]) => kind === content.kind)
    const page = known ? `${known[1]}#${token}` : `authentication/[\\w-]+/${person}/${token}`
    for (const link of links) expect(link).toMatch(new RegExp(`^${url}/${page}$`))
    expect(new Set(html.match(/https?:[^"<\s]+/g))).toEqual(new Set(links))
  },
)

test.each(mails.map((content) => [content.kind, content] as const))(
  'the email %s is in the language of its reader, with the same values',
  (_kind, content) => {
    const english = composeMail({ brand: brands.portcullis, url, to, content })
    const spanish = composeMail({ brand: brands.portcullis, url, to: { ...to, language: 'es' }, content })
    expect(spanish.html).toContain('<html lang="es">')
    expect(spanish.subject).not.toBe(english.subject)
    expect(spanish.text).toContain(`Hola, ${to.name}:`)
    expect(spanish.text.match(/https?:\S+/g)).toEqual(english.text.match(/https?:\S+/g))
    for (const value of [evil, 'new@harbour.example', to.email]) {
      expect(spanish.text.includes(value)).toBe(english.text.includes(value))
    }
    expect(spanish.text).not.toContain('{{')
  },
)

test('the email of a guest has the hours at the site of the doors', () => {
  const [mail] = mails.filter(({ kind }) => kind === 'guest_code')
  const { text } = composeMail({ brand: brands.portcullis, url, to, content: mail ?? { kind: 'codes_locked' } })
  expect(text).toContain('from Friday, 20 November 2026 at 08:00 to Friday, 20 November 2026 at 18:00')
  expect(text).toContain('482913')
})

test('an email has the name and the colours of the brand', () => {
  const content: MailContent = { kind: 'reset', token }
  const { subject, text, html } = composeMail({ brand: brands.harbour, url, to, content })
  expect(subject).toBe('Reset your Harbour Watch password')
  expect(text).toMatch(/\n\nHarbour Watch\n$/)
  expect(html).toContain(brands.harbour.light.accent)
  expect(`${subject}${text}${html}`).not.toContain('Portcullis')
})

test.each(Object.values(brands))('the logo of $key is attached to its emails', async (brand) => {
  const logo = await logoOf(brand)
  expect(logo.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  expect(logo.readUInt32BE(20)).toBe(64)
  expect(logo.length).toBeLessThan(20_000)
})

test.each([
  ['https://portcullis.example', 'acme', 'https://acme.portcullis.example'],
  ['https://acme.portcullis.example', 'harbour', 'https://harbour.portcullis.example'],
  ['https://acme.portcullis.example', 'acme', 'https://acme.portcullis.example'],
  ['http://portcullis.example:8080', 'acme', 'http://acme.portcullis.example:8080'],
  ['https://doors.example.com', 'acme', 'https://doors.example.com'],
  ['http://localhost:3000', 'harbour', 'http://localhost:3000'],
] as const)('at %s the links of %s point to %s', (own, key, expected) => {
  expect(linkUrl(own, brands[key])).toBe(expected)
})

function readable(html: string) {
  return html
    .replaceAll(/<img [^>]*alt="([^"]*)"[^>]*>/g, '$1')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
