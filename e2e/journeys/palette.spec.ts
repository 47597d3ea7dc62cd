import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { users } from '@portcullis/contract/collections/users'
import { expect, type Page, test } from '@playwright/test'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { violationsOf } from '../sound.ts'

let product: Product

test.beforeAll(async () => {
  product = await openProduct()
  const site = await product.client.of(sites).create({ name: 'North quay', timeZone: 'Europe/Dublin' })
  await product.client.of(doors).create({ name: 'Boat shed', site: site._id })
  await product.client.of(users).create({ name: "Siobhán O'Reilly" })
})
test.afterAll(() => product.stop())

test.beforeEach(async ({ page }) => {
  await enterConsole(page, { url: product.url })
  await expect(page.getByRole('heading', { level: 1, name: 'Sites' })).toBeVisible()
})

test('§4 palette: Ctrl K finds a screen, a door and a user by name, and Enter opens them', async ({ page }) => {
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('manage sched')
  await expect(page.getByRole('option', { selected: true })).toHaveText(/Manage Schedules/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/main\/rules\/schedules$/)
  await expect(field(page)).toBeHidden()

  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('boat')
  await page.getByRole('option', { name: /Boat shed/ }).click()
  await expect(page.getByRole('dialog', { name: 'Boat shed' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()

  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type("siobhán o'r")
  await expect(page.getByRole('option', { selected: true })).toHaveText(/Siobhán O'Reilly/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: "Siobhán O'Reilly" })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText([
    /Siobhán O'Reilly/,
    /Boat shed/,
    /Manage Schedules/,
  ])
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
})

test('§4 palette: it runs actions, reports when nothing is found, and Escape closes it without any effect', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Search or go to' }).click()
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('no such thing')
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('No results')
  await page.keyboard.press('Escape')
  await expect(field(page)).toBeHidden()
  await expect(page).toHaveURL(/\/main\/sites$/)

  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('add rule')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Add rule' })).toBeVisible()
})

test('§4 shortcuts: ? lists them, letters open screens, and the switch turns off single keys but not Ctrl K', async ({
  page,
}) => {
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await expect(page).toHaveURL(/\/main\/users\/list$/)
  await page.keyboard.press('n')
  await expect(page.getByRole('dialog', { name: 'Add user' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('gs?')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('gs?')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  // Single keys are off while a dialog is open.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('/')
  await expect(page.getByRole('main').getByRole('searchbox')).toBeFocused()
  await page.getByRole('heading', { level: 1 }).click()

  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toBeVisible()
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
  await help.getByRole('switch', { name: /Use single keys/ }).click()
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await expect(help).toBeHidden()
})

function field(page: Page) {
  return page.getByRole('combobox', { name: 'Go to, find or run' })
}
