import { signedInClient } from '@portcullis/client/signed-in-client'
import type { Role } from '@portcullis/contract/abilities'
import { users } from '@portcullis/contract/collections/users'
import { expect } from '@playwright/test'
import { bodyOf, type TestMailbox } from '../apps/server/src/mail/test-mailbox.ts'
import { changeRows } from './change-rows.ts'
import type { Product } from './open-product.ts'

export type Person = { _id: string; name: string; email: string; password: string }
type AddPersonInput = { name: string; email: string; role?: Role; idleTime?: number; account?: string }

/** A user who can sign in, invited by mail, with a confirmed email and accepted policies. */
export async function addPerson(product: Product, mailbox: TestMailbox, input: AddPersonInput): Promise<Person> {
  const person = await addPersonWithoutConsent(product, mailbox, input)
  await acceptPolicies(product, person)
  return person
}

/** A user invited by mail who has not yet accepted the policies. */
export async function addPersonWithoutConsent(
  product: Product,
  mailbox: TestMailbox,
  input: AddPersonInput,
): Promise<Person> {
  const person = await invite(product, input)
  const link = await linkMailedTo(mailbox, { email: input.email, page: 'password-reset' })
  const [user = '', token = ''] = link.split('/').slice(-2)
  await product.client.resetPassword({ user, token, password: person.password })
  return person
}

/** A complete user created by the administrator with a password and a confirmed email, so that no mail is sent. */
export async function addConfirmedUser(
  product: Product,
  { name, email, role = 'admin', account = 'main' }: AddPersonInput,
): Promise<Person> {
  const password = passwordOf(name)
  const person = { name, email, role, password, verified: true }
  const { _id } = await product.client.of(users).create(person, { account })
  await acceptPolicies(product, { email, password })
  return { _id, name, email, password }
}

/** A user invited by mail whose email is unconfirmed and who has not yet accepted the policies. */
export async function addUnverifiedPerson(
  product: Product,
  mailbox: TestMailbox,
  input: AddPersonInput,
): Promise<Person> {
  const person = await addPersonWithoutConsent(product, mailbox, input)
  await changeRows({
    ...product,
    statement: 'update person set person_verified = false where person_email = $1',
    values: [input.email],
  })
  return person
}

/** The newest mailed link of a user to a sign-in page, after this many have been sent. */
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

async function invite(
  { client }: Product,
  { name, email, role = 'admin', idleTime = 300 }: AddPersonInput,
): Promise<Person> {
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
