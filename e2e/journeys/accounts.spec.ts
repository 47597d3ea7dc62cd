import { AxeBuilder } from '@axe-core/playwright'
import { accounts } from '@portcullis/contract/collections/accounts'
import { sites } from '@portcullis/contract/collections/sites'
import { expect, type Page, test } from '@playwright/test'
import { type Product, startProduct } from '../product.ts'
import { signIn } from '../sign-in.ts'

let product: Product

test.beforeAll(async () => {
  product = await startProduct({ demonstration: 'off' })
})
test.afterAll(() => product.stop())

test('§3 accounts: one is added below another, renamed, and deleted only once it holds nothing', async ({ page }) => {
  await signIn(page, product.url)
  await page.getByRole('link', { name: 'Accounts' }).click()
  await expect(page).toHaveURL(/\/main\/account$/)
  await page.getByRole('button', { name: 'Add account' }).click()
  await field(page, 'Name').fill('Zoë’s Bakery')
  await expect(field(page, 'Ref')).toHaveValue('zoes-bakery')
  await press(page, 'Save')
  await expect(row(page, 'Zoë’s Bakery')).toHaveAttribute('aria-level', '2')

  await row(page, 'Zoë’s Bakery').click()
  await field(page, 'Name').fill('Bakery')
  await dialog(page).getByLabel('One-time codes at the sign-in for everybody').check()
  await press(page, 'Save')
  await expect(row(page, 'Bakery')).toBeVisible()
  await page.getByRole('navigation', { name: 'Accounts' }).getByRole('link', { name: 'List' }).click()
  await expect(page.getByRole('row', { name: /Bakery.*Required/ })).toBeVisible()

  const inside = { account: 'zoes-bakery' }
  const { _id } = await product.client.of(sites).create({ name: 'Oven hall', timeZone: 'UTC' }, inside)
  await page.getByRole('row', { name: /Bakery/ }).click()
  await press(page, 'Delete')
  await press(page, 'Delete')
  await expect(dialog(page).getByRole('alert')).toContainText('This account still holds 1 site.')
  await product.client.of(sites).remove(_id, inside)
  await press(page, 'Delete')
  await expect(page.getByRole('row', { name: /Bakery/ })).toBeHidden()
})

test('§3 moving accounts: who gains and who loses sight is shown first, and the tree follows', async ({ page }) => {
  const [north, south] = [await add('North', 'main'), await add('South', 'main')]
  const shop = await add('Corner shop', 'north')
  await signIn(page, product.url)
  await page.goto(`${product.url}/main/account?open=${shop._id}`)
  await press(page, 'Move…')
  await choose(page, north.name)
  await expect(dialog(page).getByText('It stands there already.')).toBeVisible()
  await choose(page, south.name)
  await expect(dialog(page).getByText('Everybody who sees it now sees it there, and nobody else.')).toBeVisible()
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations).toEqual([])
  await press(page, 'Move it there')
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('Corner shop was moved')).toBeVisible()
  await expect.poll(() => namesInTree(page)).toEqual(expect.arrayContaining(['South', 'Corner shop']))
  const names = await namesInTree(page)
  expect(names.indexOf('Corner shop')).toBe(names.indexOf('South') + 1)
})

test('§3 suspending: the console says plainly what ends, and the account can be restored', async ({ page }) => {
  const { _id } = await add('Night bar', 'main')
  await signIn(page, product.url)
  await page.goto(`${product.url}/main/account?open=${_id}`)
  await press(page, 'Suspend…')
  await expect(dialog(page)).toContainText('Controllers get no new configuration.')
  await press(page, 'Suspend')
  await expect(row(page, 'Night bar')).toContainText('Suspended')
  await row(page, 'Night bar').click()
  await press(page, 'Restore…')
  await press(page, 'Restore')
  await expect(row(page, 'Night bar')).not.toContainText('Suspended')
})

function add(name: string, account: string) {
  const ref = name.toLowerCase().replaceAll(' ', '-')
  return product.client.of(accounts).create({ name, ref }, { account })
}

/** The dialog that lies uppermost. */
function dialog(page: Page) {
  return page.getByRole('dialog').last()
}

function field(page: Page, name: string) {
  return dialog(page).getByRole('textbox', { name })
}

function press(page: Page, name: string) {
  return dialog(page).getByRole('button', { name, exact: true }).click()
}

async function choose(page: Page, name: string) {
  await dialog(page).getByRole('combobox', { name: 'Below' }).fill(name)
  await page.getByRole('option', { name }).click()
}

function row(page: Page, name: string) {
  return page.getByRole('treeitem', { name: new RegExp(`^${name}`) })
}

async function namesInTree(page: Page) {
  return page.getByRole('treeitem').locator('bdi').allTextContents()
}
