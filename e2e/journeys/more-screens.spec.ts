import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { users } from '@portcullis/contract/collections/users'
import { expect, type Page, test } from '@playwright/test'
import { addConfirmedUser } from '../people.ts'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole, signInByCall } from '../sign-in.ts'

let product: Product

test.beforeAll(async () => {
  product = await openProduct()
})
test.afterAll(() => product.stop())

test('§2 adhoc: a visitor gets temporary access to a door, which is ended by one press and restored', async ({
  page,
}) => {
  const { client } = product
  const site = await client.of(sites).create({ name: 'Harbour House', timeZone: 'Africa/Johannesburg' })
  await client.of(doors).create({ name: 'Side gate', site: site._id })
  await client.of(users).create({ name: 'Zoltán Szabó' })

  await enterConsole(page, { url: product.url })
  await page.getByRole('link', { name: 'Adhoc Access' }).click()
  await expect(page).toHaveURL(/\/main\/rules\/adhoc$/)
  await page.getByRole('main').getByRole('button', { name: 'Grant temporary access' }).first().click()
  await choose(page, { list: 'Who', name: 'Zoltán Szabó' })
  await choose(page, { list: 'Where', name: 'Side gate' })
  await expect(dialog(page).getByText(/^Zoltán Szabó may open Side gate, from .+ until .+ only\.$/)).toBeVisible()
  await press(page, 'Save')
  const row = page.getByRole('row', { name: /Zoltán Szabó/ })
  await expect(row).toContainText('Active until')

  await row.getByRole('button').first().click()
  await press(page, 'End now')
  await expect(row).toContainText('Ended')
  await page.getByRole('link', { name: 'Active (0)' }).click()
  await expect(page).toHaveURL(/state=in_force/)
  await expect(row).toBeHidden()
  await undo(page, /was saved$/)
  await expect(row).toContainText('Active until')
  await page.goto(`${product.url}/main/rules/list`)
  await expect(row).toContainText('Temporary until')
})

test('§2 incident reports: the filtered list of events is saved as a report and opened again from it', async ({
  page,
}) => {
  await enterConsole(page, { url: product.url, path: '/main/events/list?time=24h&type=administration.signed_in' })
  await page.getByRole('button', { name: 'Save as incident report' }).click()
  await expect(
    dialog(page)
      .getByRole('row', { name: /Signed in/ })
      .first(),
  ).toBeVisible()
  await dialog(page).getByLabel('Name').fill('Who was in the console')
  await press(page, 'Save')
  await expect(page).toHaveURL(/\/main\/incidentReports\/list$/)
  const row = page.getByRole('row', { name: /Who was in the console/ })
  await row.getByRole('button').first().click()
  const covered = dialog(page).getByRole('region', { name: 'Events' })
  await expect(covered.getByRole('heading', { name: /^\d+ events?$/ })).toBeVisible()
  const head = await covered.getByRole('columnheader').first().boundingBox()
  const firstRow = await covered.getByRole('cell').first().boundingBox()
  expect((head?.y ?? 0) + (head?.height ?? 0), 'the head of the table is above its first row').toBe(firstRow?.y)
  await covered.getByRole('link', { name: 'Show in Access Events' }).click()
  await expect(page).toHaveURL(/\/main\/events\/list\?.*type=administration\.signed_in/)
  await expect(page.getByRole('row', { name: /Signed in/ }).first()).toBeVisible()
})

test('§2 identity providers: one is added, deleted and restored; users without the right are sent to the events', async ({
  page,
  browser,
}) => {
  await enterConsole(page, { url: product.url })
  await page.getByRole('link', { name: 'Identity Providers' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Add identity provider' }).first().click()
  await expect(dialog(page).getByText('Users sign in with email and password until')).toBeVisible()
  await dialog(page).getByLabel('Name').fill('Harbour directory')
  await press(page, 'Save')
  const row = page.getByRole('row', { name: /Harbour directory.*OpenID Connect.*Disabled/ })
  await row.getByRole('button').first().click()
  await press(page, 'Delete')
  const question = page.getByRole('dialog', { name: 'Delete Harbour directory?' })
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(row).toBeHidden()
  await undo(page, /was deleted$/)
  await expect(row).toBeVisible()

  const installer = await addConfirmedUser(product, {
    name: 'Ivo Installer',
    email: 'ivo@installer.example',
    role: 'installer',
  })
  const context = await browser.newContext()
  const other = await context.newPage()
  await signInByCall(context, { url: product.url, ...installer })
  for (const path of ['incidentReports', 'incidentReports/list', 'tenant', 'tenant/list']) {
    await other.goto(`${product.url}/main/${path}`)
    await expect(other).toHaveURL(/\/main\/events\/list/)
  }
  await context.close()
})

async function choose(page: Page, { list, name }: { list: string; name: string }) {
  await dialog(page).getByRole('textbox', { name: list }).fill(name)
  await page.getByRole('option', { name }).click()
}

/** Undoes the action that this message reports. */
async function undo(page: Page, message: RegExp) {
  const messages = page.getByRole('region', { name: 'Messages' })
  await messages.getByText(message).locator('..').getByRole('button', { name: 'Undo' }).click()
}

async function press(page: Page, name: string) {
  await dialog(page).getByRole('button', { name, exact: true }).click()
}

function dialog(page: Page) {
  return page.getByRole('dialog').last()
}
