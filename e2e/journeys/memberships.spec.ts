import { accounts } from '@portcullis/contract/collections/accounts'
import { users } from '@portcullis/contract/collections/users'
import { expect, type Page, test } from '@playwright/test'
import { bodyOf, type TestMailbox } from '../../apps/server/src/mail/test-mailbox.ts'
import type { Product } from '../open-product.ts'
import { addPerson, type Person } from '../people.ts'
import { openProductWithMailbox } from '../product-with-mailbox.ts'
import { enterConsole } from '../sign-in.ts'
import { expectSoundInAllViews } from '../sound.ts'

let product: Product
let mailbox: TestMailbox

test.beforeAll(async () => {
  ;({ product, mailbox } = await openProductWithMailbox())
})
test.afterAll(() => product.stop())

const makeAccount = (name: string) => product.client.of(accounts).create({ name, ref: name.toLowerCase() })

/** Opens the drawer of a user, as the administrator. */
async function openUser(page: Page, { _id }: Person) {
  await enterConsole(page, { url: product.url, path: `/main/users/list?open=${_id}` })
  return page.getByRole('region', { name: 'Accounts and roles' })
}

async function invitationTo({ email }: Person) {
  const pattern = /https?:\/\/[^\s"<]+\/authentication\/invitation#[\w-]{43}/
  const links = () =>
    mailbox.mails
      .filter(({ to }) => to.includes(email))
      .flatMap(({ message }) => pattern.exec(bodyOf(message))?.[0] ?? [])
  await expect.poll(() => links().length).toBe(1)
  return links()[0] ?? ''
}

test('§1 accounts of a user: added with a role, accepted by the user in the console, and removed', async ({
  page,
  browser,
}) => {
  const harbour = await makeAccount('Harbour')
  const person = await addPerson(product, mailbox, { name: 'Ayanda', email: 'ayanda@people.example', role: 'appUser' })
  const section = await openUser(page, person)
  await expect(section.getByRole('listitem')).toHaveText([/Main account.*App user/])
  await section.getByRole('button', { name: 'Add to account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Ayanda to other accounts' })
  await dialog.getByRole('combobox', { name: 'Accounts' }).click()
  await page.getByRole('option', { name: 'Main account › Harbour' }).click()
  await dialog.getByRole('heading').click()
  await dialog.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'Access manager' }).click()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(section.getByRole('listitem').filter({ hasText: 'Harbour' })).toContainText('Invited')
  await expectSoundInAllViews(page)

  const own = await (await browser.newContext()).newPage()
  await enterConsole(own, { url: product.url, user: person, path: '/main/users/settings' })
  const invitations = own.getByRole('region', { name: 'Invitations' })
  await expect(invitations).toContainText('Access manager, invited by Administrator')
  await expectSoundInAllViews(own)
  await invitations.getByRole('button', { name: 'Accept' }).click()
  await expect(invitations).toHaveCount(0)
  const held = own.getByRole('region', { name: 'Accounts', exact: true }).getByRole('listitem')
  await expect(held.filter({ hasText: 'Harbour' })).toContainText('Access manager')

  await page.reload()
  await expect(section.getByRole('listitem').filter({ hasText: 'Harbour' })).not.toContainText('Invited')
  await section.getByRole('button', { name: 'Remove from Harbour' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(section.getByRole('listitem')).toHaveCount(1)
  await expect(held.filter({ hasText: 'Harbour' })).toHaveCount(0)
  expect((await product.client.of(users).list({}, { account: harbour.ref })).items).toEqual([])
})

test('§1 accounts of a user: the link in the email accepts an invitation without a session', async ({ page }) => {
  const quarry = await makeAccount('Quarry')
  const person = await addPerson(product, mailbox, { name: 'Bongani', email: 'bongani@people.example' })
  const { name, email } = { name: 'B. Mokoena', email: person.email }
  const created = await product.client.of(users).create({ name, email, role: 'installer' }, { account: quarry.ref })
  expect(created._id).not.toBe(person._id)
  await page.goto(await invitationTo(person))
  await expect(page.getByRole('heading', { name: 'Quarry' })).toBeVisible()
  await expect(page.getByText('Administrator invites you to this account. Your role: Installer.')).toBeVisible()
  await expectSoundInAllViews(page)
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(page.getByText('You now have access to this account. Sign in to open it.')).toBeVisible()
  const { items } = await product.client.of(users).list({}, { account: quarry.ref })
  expect(items).toMatchObject([{ _id: person._id, name: 'Bongani', role: 'installer' }])
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('This link has been used or has expired.')
})
