import { accounts } from '@portcullis/contract/collections/accounts'
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

test('§3 accounts: one is added below another, renamed, and deleted only once it is empty', async ({ page }) => {
  await enterConsole(page, { url: product.url })
  await page.getByRole('link', { name: 'Accounts' }).click()
  await expect(page).toHaveURL(/\/main\/account$/)
  await page.getByRole('button', { name: 'Add account' }).click()
  await field(page, 'Name').fill('Zoë’s Bakery')
  await expect(field(page, 'Ref')).toHaveValue('zoes-bakery')
  await press(page, 'Save')
  await expect(row(page, 'Zoë’s Bakery')).toHaveAttribute('aria-level', '2')

  await row(page, 'Zoë’s Bakery').click()
  await field(page, 'Name').fill('Bakery')
  await dialog(page).getByLabel('Require one-time codes for all users').check()
  await press(page, 'Save')
  await expect(row(page, 'Bakery')).toBeVisible()
  await page.getByRole('navigation', { name: 'Accounts' }).getByRole('link', { name: 'List' }).click()
  await expect(page.getByRole('row', { name: /Bakery.*Required/ })).toBeVisible()

  const inside = { account: 'zoes-bakery' }
  const { _id } = await product.client.of(sites).create({ name: 'Oven hall', timeZone: 'UTC' }, inside)
  await page.getByRole('row', { name: /Bakery/ }).click()
  await press(page, 'Delete')
  const question = page.getByRole('dialog', { name: /^Delete / })
  await expect(question.getByRole('alert')).toContainText('This account still contains 1 site.')
  await expect(question.getByRole('button', { name: 'Delete' })).toBeDisabled()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await product.client.of(sites).remove(_id, inside)
  await press(page, 'Delete')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('row', { name: /Bakery/ })).toBeHidden()
})

test('§3 moving accounts: the change of visibility is shown first, and the tree is updated', async ({ page }) => {
  const [north, south] = [await add('North', 'main'), await add('South', 'main')]
  const shop = await add('Corner shop', 'north')
  await enterConsole(page, { url: product.url, path: `/main/account?open=${shop._id}` })
  await press(page, 'Move…')
  await choose(page, north.name)
  await expect(dialog(page).getByText('This is already its parent account.')).toBeVisible()
  await choose(page, south.name)
  await expect(dialog(page).getByText('No user gains or loses access.')).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  await press(page, 'Move account')
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('Corner shop was moved')).toBeVisible()
  const placeBelow = async (name: string) => {
    const names = await namesInTree(page)
    return names.indexOf('Corner shop') - names.indexOf(name)
  }
  await expect.poll(() => placeBelow('South')).toBe(1)
})

test('§3 suspending: the effects are listed first, and the account can be restored', async ({ page }) => {
  const { _id } = await add('Night bar', 'main')
  await enterConsole(page, { url: product.url, path: `/main/account?open=${_id}` })
  await press(page, 'Suspend…')
  await expect(dialog(page)).toContainText('Controllers get no new configuration.')
  await press(page, 'Suspend')
  await expect(row(page, 'Night bar')).toContainText('Suspended')
  await row(page, 'Night bar').click()
  await press(page, 'Restore…')
  await press(page, 'Restore')
  await expect(row(page, 'Night bar')).not.toContainText('Suspended')
})

test('§4 account switch: by keyboard alone, it keeps the screen and changes the account in the URL', async ({
  page,
}) => {
  await add('Zebra group', 'main')
  await add('Alpha branch', 'zebra-group')
  await enterConsole(page, { url: product.url, path: '/main/users/groups?q=night' })
  const button = page.getByRole('button', { name: 'Switch account' })
  await button.press('Enter')
  const search = page.getByRole('combobox', { name: 'Search accounts' })
  await expect(search).toBeFocused()
  await search.fill('ALPHA')
  const options = page.getByRole('option')
  // Parents of matches stay listed; the topmost account is bold, because it has accounts below it.
  await expect(options).toHaveText(['Main account', 'Zebra group', 'Alpha branch'])
  await expect(options.first()).toHaveCSS('font-weight', '640')
  await page.setViewportSize({ width: 1440, height: 1000 })
  await expect(page.getByRole('listbox', { name: 'Switch account' })).toHaveCSS('max-height', '700px')
  await search.press('Home')
  await search.press('End')
  await search.press('Enter')
  await expect(page).toHaveURL(`${product.url}/alpha-branch/users/groups?q=night`)
  await expect(page.getByRole('banner')).toContainText('Alpha branch')
  await button.press('Enter')
  await search.press('Escape')
  await expect(search).toBeHidden()
  await expect(button).toBeFocused()
})

test('§2 sidebar: it shows the account’s picture, or the brand’s logo without one', async ({ page }) => {
  const { _id } = await add('Picture house', 'main')
  await enterConsole(page, { url: product.url, path: `/picture-house/account?open=${_id}` })
  const banner = page.getByRole('banner')
  await expect(banner.getByRole('img', { name: 'Portcullis' })).toBeVisible()
  const chosen = page.waitForEvent('filechooser')
  await press(page, 'Choose picture…')
  const buffer = Buffer.from(onePixel, 'base64')
  await (await chosen).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
  await expect(dialog(page).getByRole('img', { name: 'Picture of Picture house' })).toBeVisible()
  await press(page, 'Cancel')
  await expect(banner.getByRole('img', { name: 'Picture house' })).toBeVisible()
})

/** The smallest PNG: one blue pixel. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function add(name: string, account: string) {
  const ref = name.toLowerCase().replaceAll(' ', '-')
  return product.client.of(accounts).create({ name, ref }, { account })
}

/** The topmost dialog. */
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
  await dialog(page).getByRole('combobox', { name: 'New parent account' }).fill(name)
  await page.getByRole('option', { name }).click()
}

function row(page: Page, name: string) {
  return page.getByRole('treeitem', { name: new RegExp(`^${name}`) })
}

async function namesInTree(page: Page) {
  return page.getByRole('treeitem').locator('bdi').allTextContents()
}
