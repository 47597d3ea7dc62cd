import { signedInClient } from '@portcullis/client/signed-in-client'
import { accounts } from '@portcullis/contract/collections/accounts'
import { sites } from '@portcullis/contract/collections/sites'
import { users } from '@portcullis/contract/collections/users'
import { expect, type Page, test } from '@playwright/test'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { violationsOf } from '../sound.ts'

let product: Product
let north: string

test.beforeAll(async () => {
  product = await openProduct()
  const { _id: parent } = await product.client.of(accounts).get((await product.client.me('main')).account?._id ?? '')
  north = (await product.client.of(accounts).create({ name: 'North', ref: 'north', parent }))._id
  await product.client.of(sites).create({ name: 'Pump house', timeZone: 'UTC' }, { account: 'north' })
})
test.afterAll(() => product.stop())

test('§2 acting inside an account: a reason, a banner, both names in the audit log, and the way back', async ({
  page,
}) => {
  const place = `${product.url}/main/account?open=${north}`
  const { name } = (await product.client.me('main')).user
  await enterConsole(page, { url: product.url })
  await page.goto(place)
  await page.getByRole('button', { name: 'Act inside this account…' }).click()
  await press(page, 'Act inside')
  await expect(page.getByText('Enter a reason of 3 to 500 characters.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Ticket 4711, asked for by Ms Bell')
  await press(page, 'Act inside')

  await expect(page).toHaveURL(/\/north\/sites$/)
  const sentence = new RegExp(`Acting inside North as ${name}: Ticket 4711, asked for by Ms Bell. Since \\d\\d:\\d\\d.`)
  await expect(banner(page)).toContainText(sentence)
  await page.getByRole('row', { name: /Pump house/ }).click()
  await page.reload()
  await expect(banner(page)).toContainText(sentence)
  await expect(page.getByRole('button', { name: 'Edit site' })).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Edit site' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill('Quay 4')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('main').getByText('Quay 4')).toBeVisible()

  await page.goto(`${product.url}/north/auditLogs/list`)
  const changed = page.getByRole('row', { name: /Pump house.*Changed/ })
  for (const words of [name, 'Acting inside North', 'Reason: Ticket 4711, asked for by Ms Bell']) {
    await expect(changed).toContainText(words)
  }
  await expect(page.getByRole('row', { name: /North.*Acted inside/ })).toContainText('Ticket 4711')

  await page.setViewportSize({ width: 390, height: 844 })
  const [above, below] = [await banner(page).boundingBox(), await page.getByRole('banner').boundingBox()]
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual((below?.y ?? 0) + 1)
  await page.getByRole('button', { name: 'Stop acting' }).click()
  await expect(page).toHaveURL(place)
  await expect(banner(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Act inside this account…' })).toBeVisible()
})

test('§2 acting inside an account ends when the tab leaves the account or the server ends it; for hyper users only', async ({
  page,
}) => {
  await enterConsole(page, { url: product.url })
  await actInside(page)
  await page.goto(`${product.url}/main/sites`)
  await expect(messages(page)).toContainText('You no longer act inside North.')
  await expect(banner(page)).toBeHidden()

  await actInside(page)
  await expect(page.getByRole('row', { name: /Pump house/ })).toBeVisible()
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  // Ends it as another tab of the same session would.
  const ended = await page.evaluate(async (id) => {
    const headers = { 'x-js-account': 'main' }
    return (await fetch(`/api/accounts/${id}/assume/end`, { method: 'POST', headers })).status
  }, north)
  expect(ended).toBe(200)
  // The console notices at its next request, which may be under way already.
  await page.getByRole('link', { name: 'Contacts' }).dispatchEvent('click')
  await expect(messages(page)).toContainText('The server ended your access to North. You are still signed in.')
  await expect(page).toHaveURL(/\/main\//)

  const person = { email: 'ada@portcullis.example', password: 'a hinge that never squeaks' }
  await product.client.of(users).create({ name: 'Ada', role: 'admin', verified: true, ...person })
  const { client } = await signedInClient({ baseUrl: product.url, ...person, account: () => 'main' })
  const now = new Date().toISOString()
  await client.patchMe({ consent: { eula: now, privacy: now, terms: now, disclaimer: now } })
  await page.context().clearCookies()
  await enterConsole(page, { url: product.url, path: `/main/account?open=${north}`, user: person })
  await expect(page.getByRole('button', { name: 'Move…' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Act inside this account…' })).toBeHidden()
  await expect(client.accounts.assume(north, { reason: 'curiosity' })).rejects.toMatchObject({
    code: 'account_refused',
  })
})

async function actInside(page: Page) {
  await page.goto(`${product.url}/main/account?open=${north}`)
  await page.getByRole('button', { name: 'Act inside this account…' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Ticket 4712')
  await press(page, 'Act inside')
  await expect(banner(page)).toBeVisible()
}

function banner(page: Page) {
  return page.getByRole('region', { name: 'Acting inside another account' })
}

function messages(page: Page) {
  return page.getByRole('region', { name: 'Messages' })
}

function press(page: Page, name: string) {
  return page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
}
