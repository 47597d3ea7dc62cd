import { signedInClient } from '@portcullis/client/signed-in-client'
import type { Role } from '@portcullis/contract/abilities'
import { users } from '@portcullis/contract/collections/users'
import { expect } from '@playwright/test'
import { bodyOf, type TestMailbox } from '../apps/server/src/mail/test-mailbox.ts'
import { changeRows } from './change-rows.ts'
import type { Product } from './open-product.ts'

export type Person = { _id: string; name: string; email: string; password: string }
type Asked = { name: string; email: string; role?: Role; idleTime?: number; account?: string }

/** Somebody who can sign in, has confirmed their e-mail and accepted the policies: invited by mail, like anybody. */
export async function addPerson(product: Product, mailbox: TestMailbox, asked: Asked): Promise<Person> {
  const person = await addPersonWithoutConsent(product, mailbox, asked)
  await acceptPolicies(product, person)
  return person
}

/** The same, who has yet to accept the policies. */
export async function addPersonWithoutConsent(product: Product, mailbox: TestMailbox, asked: Asked): Promise<Person> {
  const person = await invite(product, asked)
  const link = await linkMailedTo(mailbox, { email: asked.email, page: 'password-reset' })
  const [user = '', token = ''] = link.split('/').slice(-2)
  await product.client.resetPassword({ user, token, password: person.password })
  return person
}

/** Somebody complete whom the administrator vouches for, as an installer's script does: no mail is on its way. */
export async function addVouchedPerson(
  product: Product,
  { name, email, role = 'admin', account = 'main' }: Asked,
): Promise<Person> {
  const password = passwordOf(name)
  const person = { name, email, role, password, verified: true }
  const { _id } = await product.client.of(users).create(person, { account })
  await acceptPolicies(product, { email, password })
  return { _id, name, email, password }
}

/** The same, whose e-mail is not confirmed. */
export async function addUnverifiedPerson(product: Product, mailbox: TestMailbox, asked: Asked): Promise<Person> {
  const person = await addPersonWithoutConsent(product, mailbox, asked)
  await changeRows({
    ...product,
    statement: 'update person set person_verified = false where person_email = $1',
    values: [asked.email],
  })
  return person
}

/** The newest link to a page of the sign-in that was mailed to somebody, once there are so many. */
export async function linkMailedTo(
  { mails }: TestMailbox,
  { email, page, count = 1 }: { email: string; page: 'password-reset' | 'email-confirm'; count?: number },
): Promise<string> {
  const pattern = new RegExp(`https?://[^\\s"<]+/authentication/${page}/[^\\s/"<]+/[^\\s"<]+`)
  const links = () =>
    mails.filter(({ to }) => to.includes(email)).flatMap(({ message }) => pattern.exec(bodyOf(message))?.[0] ?? [])
  await expect.poll(() => links().length).toBe(count)
  return links().at(-1) ?? ''
}

async function invite({ client }: Product, { name, email, role = 'admin', idleTime = 300 }: Asked): Promise<Person> {
  const { _id } = await client.of(users).create({ name, email, role, idleTime })
  return { _id, name, email, password: passwordOf(name) }
}

function passwordOf(name: string) {
  return `${name.toLowerCase()} waits for the ferry`
}

async function acceptPolicies({ url }: Product, { email, password }: { email: string; password: string }) {
  const { client } = await signedInClient({ baseUrl: url, email, password })
  const now = new Date().toISOString()
  await client.patchMe({ consent: { eula: now, privacy: now, terms: now, disclaimer: now } })
}
