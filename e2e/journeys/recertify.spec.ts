import { expect, type Page, test } from '@playwright/test'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'

let product: Product

test.beforeAll(async () => {
  product = await openProduct('demonstration')
})
test.afterAll(() => product.stop())

test('§2 Recertify Users: due users are reviewed and decided, one by one and several at the same time', async ({
  page,
}) => {
  await enterConsole(page, { url: product.url })
  await page.getByRole('link', { name: 'Recertify Users' }).click()
  await expect(page).toHaveURL(/\/harbour-group\/recertify\/list$/)
  await expect(page).toHaveTitle(/^Recertify Users - /)
  const rows = page.getByRole('rowgroup').last().getByRole('row')
  await expect(rows).toHaveCount(8)
  await expect(rows.first()).toContainText('Imraan Cassiem')
  await expect(rows.first()).toContainText('days overdue')

  await row(page, 'Imraan Cassiem')
    .getByRole('button', { name: /^Imraan Cassiem/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'What this user can open' }).click()
  await expect(page.getByRole('dialog').getByRole('searchbox')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Recertify Imraan Cassiem' }).click()
  await expect(row(page, 'Imraan Cassiem')).toBeHidden()
  const messages = page.getByRole('region', { name: 'Messages' })
  await messages.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'Imraan Cassiem')).toBeVisible()

  for (const name of ['Imraan Cassiem', 'Tebogo Sebati', 'Carla Ferreira']) {
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  }
  const bar = page.getByRole('region', { name: '3 selected' })
  await bar.getByRole('button', { name: 'Recertify' }).click()
  await expect(page.getByRole('dialog')).toContainText('Recertify 3 users?')
  await page.getByRole('dialog').getByRole('button', { name: 'Recertify' }).click()
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('3 of 3')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await expect(rows).toHaveCount(5)

  await page.getByRole('button', { name: 'More actions for Devan Pillay' }).click()
  await page.getByRole('menuitem', { name: 'Suspend…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('1 of 1')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await expect(row(page, 'Devan Pillay')).toBeHidden()

  await page.getByText('Overdue (0)').click()
  await expect(page).toHaveURL(/[?&]due=overdue/)
  await expect(page.getByRole('heading', { name: 'No users are due' })).toBeVisible()
})

function row(page: Page, name: string) {
  return page.getByRole('row', { name: new RegExp(name) })
}
