import { sites } from '@portcullis/contract/collections/sites'
import { expect, type Page, test } from '@playwright/test'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { violationsOf } from '../sound.ts'

let product: Product

test.beforeAll(async () => {
  product = await openProduct()
})
test.afterAll(() => product.stop())

test('§4 forms: saving and deleting an item can be undone at once', async ({ page }) => {
  await product.client.of(sites).create({ name: "O'Brien yard", timeZone: 'Europe/Dublin' })
  await enterConsole(page, { url: product.url })
  await openForm(page, "O'Brien yard")
  await nameField(page).fill('Brewery yard')
  await save(page)
  await expect(message(page, 'Brewery yard was saved')).toBeVisible()
  expect(await violationsOf(page, { within: '[aria-label=Messages]' })).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(message(page, 'Undone: Brewery yard has its previous values')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: "O'Brien yard" })).toBeVisible()

  await page.getByRole('button', { name: 'Edit site' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: "Delete O'Brien yard?" }).getByRole('button', { name: 'Delete' }).click()
  await expect(message(page, "O'Brien yard was deleted")).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('row', { name: /O'Brien yard/ })).toBeVisible()
})

test('§4 forms: a user who saves after another sees the other’s change and keeps both', async ({ page }) => {
  const site = await product.client.of(sites).create({ name: 'Dry dock', timeZone: 'Europe/Dublin', address: 'Pier 1' })
  await enterConsole(page, { url: product.url })
  await openForm(page, 'Dry dock')
  await nameField(page).fill('Dry dock 2')
  await product.client.of(sites).patch(site._id, { address: 'Pier 9' })
  await save(page)
  const notice = page.getByRole('alert').filter({ hasText: 'Another user changed a field' })
  await expect(notice.getByRole('row', { name: 'Address Pier 1 Pier 9 not changed' })).toBeVisible()
  await notice.getByRole('button', { name: 'Save both' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  const saved = await product.client.of(sites).get(site._id)
  expect(saved).toMatchObject({ name: 'Dry dock 2', address: 'Pier 9' })
})

async function openForm(page: Page, name: string) {
  await page.getByRole('row', { name: new RegExp(name) }).click()
  await page.getByRole('button', { name: 'Edit site' }).click()
}

function nameField(page: Page) {
  return page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
}

function save(page: Page) {
  return page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
}

function message(page: Page, words: string) {
  return page.getByRole('region', { name: 'Messages' }).getByText(words)
}
