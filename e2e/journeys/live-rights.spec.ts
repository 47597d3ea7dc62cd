import { createClient } from '@portcullis/client/client'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { accounts } from '@portcullis/contract/collections/accounts'
import { sites } from '@portcullis/contract/collections/sites'
import { users } from '@portcullis/contract/collections/users'
import type { Role } from '@portcullis/contract/abilities'
import { expect, test } from '@playwright/test'
import { administrator } from '../administrator.ts'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole, fillIn } from '../sign-in.ts'

let product: Product
/** A client of the administrator in this account. */
let inAccount: (ref: string) => ReturnType<typeof createClient>
let [capeTown, durban] = ['', '']

test.beforeAll(async () => {
  product = await openProduct()
  const { headers } = await signedInClient({ baseUrl: product.url, ...administrator })
  inAccount = (ref) => createClient({ baseUrl: product.url, account: () => ref, headers: () => headers })
  await addAccount({ name: 'Harbour Group', ref: 'harbour', above: 'main' })
  capeTown = await addAccount({ name: 'Cape Town', ref: 'cape-town', above: 'harbour' })
  durban = await addAccount({ name: 'Durban', ref: 'durban', above: 'harbour' })
  await inAccount('cape-town').of(sites).create({ name: 'Quay 7', timeZone: 'Africa/Johannesburg' })
})
test.afterAll(() => product.stop())

test('§6 a role that is lowered removes menus, buttons and the screen at once, without signing in again', async ({
  page,
}) => {
  const person = await makeUser('Lindiwe', { role: 'admin', account: 'cape-town' })
  await enterConsole(page, { url: product.url, path: '/cape-town/sites/list', user: person })
  await expect(page.getByRole('row').filter({ hasText: 'Quay 7' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add site' })).toBeVisible()

  // A user who may only read: there is no button to add a site and no Notifications button for requests.
  await setRole(person, { role: 'reportingUser', account: 'cape-town' })
  await expect(page.getByText('Your permissions have changed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add site' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Notifications' })).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: 'Quay 7' })).toBeVisible()

  // A user who may see nothing here: the screen closes.
  await setRole(person, { role: 'appUser', account: 'cape-town' })
  await expect(page).toHaveURL(`${product.url}/cape-town/events/list`)
  await expect(page.getByRole('heading', { name: 'You don’t have access to anything here' })).toBeVisible()
  await expect(page.getByText('Quay 7')).toHaveCount(0)
  await expect(page.getByText('Your permissions have changed.')).toBeVisible()
})

test('§6 a role that is raised shows menus, buttons and the list that was denied', async ({ page }) => {
  const person = await makeUser('Thabo', { role: 'appUser', account: 'cape-town' })
  await enterConsole(page, { url: product.url, path: '/cape-town/users/list', user: person })
  await expect(page.getByRole('heading', { name: 'You don’t have access', exact: true })).toBeVisible()

  await setRole(person, { role: 'admin', account: 'cape-town' })
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sites' })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Thabo' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Notifications' })).toBeVisible()
  await expect(page.getByText('Your permissions have changed.')).toBeVisible()
})

test('§6 a user whose account is suspended or moved away leaves it', async ({ page }) => {
  const person = await makeUser('Naledi', { role: 'admin', account: 'durban' })
  const pier = await addAccount({ name: 'Pier', ref: 'pier', above: 'durban' })
  await enterConsole(page, { url: product.url, path: '/pier/sites/list', user: person })
  await expect(page.getByText('Live', { exact: true })).toBeVisible()

  await inAccount('harbour').accounts.move({ account: pier, parent: capeTown })
  await expect(page).toHaveURL(`${product.url}/durban/sites`)
  await expect(page.getByText('you no longer have access to Pier')).toBeVisible()
  // The URL changes before the frame of the new account replaces the previous one.
  await expect(page.getByRole('banner')).toContainText('Durban')
  await page.getByRole('button', { name: 'Switch account' }).click()
  await expect(page.getByRole('option', { name: 'Durban' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Pier' })).toHaveCount(0)

  // A user without another account is signed out.
  await inAccount('harbour').accounts.suspend(durban)
  await expect(page).toHaveURL(/\/authentication\/login/)
  await fillIn(page, person)
  await expect(page.getByText('Your access has been suspended. Please contact your administrator.')).toBeVisible()
})

async function addAccount({ name, ref, above }: { name: string; ref: string; above: string }) {
  return (await inAccount(above).of(accounts).create({ name, ref, defaultTimeZone: 'UTC' }))._id
}

type Place = { role: Role; account: string }
type Person = { _id: string; email: string; password: string }

async function makeUser(name: string, { role, account }: Place): Promise<Person> {
  const email = `${name.toLowerCase()}@portcullis.example`
  const password = `${name.toLowerCase()} waits for the ferry`
  const { _id } = await inAccount(account).of(users).create({ name, email, role, password, verified: true })
  const { client } = await signedInClient({ baseUrl: product.url, email, password })
  const now = new Date().toISOString()
  await client.patchMe({ consent: { eula: now, privacy: now, terms: now, disclaimer: now } })
  return { _id, email, password }
}

function setRole({ _id }: Person, { role, account }: Place) {
  return inAccount(account).of(users).patch(_id, { role })
}
