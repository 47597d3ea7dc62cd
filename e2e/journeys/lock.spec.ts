import { expect, type Page, test } from '@playwright/test'
import { administrator } from '../administrator.ts'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole, fillIn } from '../sign-in.ts'
import { expectSoundInAllViews } from '../sound.ts'

let product: Product

test.beforeAll(async () => {
  product = await openProduct()
})
test.afterAll(() => product.stop())

test('§2 lock: the user menu locks the screen, the session ends, and the password returns to the same page', async ({
  page,
}) => {
  await enterConsole(page, { url: product.url, path: '/main/units/list?search=gate' })
  const cookies = await page.context().cookies()
  await lock(page)
  await expect(page).toHaveTitle('Lock Screen - Portcullis')
  await expect(page.getByText('LOGGED IN AS')).toBeVisible()
  await expect(page.getByText('Administrator')).toBeVisible()
  await expect(page.getByText('Your session is timed out. Please enter your password to proceed.')).toBeVisible()
  const stale = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${product.url}/api/users/me`, { headers: { cookie: stale, 'x-js-account': 'null' } })
  expect(answer.status).toBe(401)

  await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByRole('alert')).toHaveText('The email or password is incorrect.')
  await page.getByRole('textbox', { name: 'Password' }).fill(administrator.password)
  await page.getByRole('textbox', { name: 'Password' }).press('Enter')
  await expect(page).toHaveURL(`${product.url}/main/units/list?search=gate`)
})

test('§2 lock: all tabs are locked, also after a reload', async ({ page, context }) => {
  await enterConsole(page, { url: product.url })
  const other = await context.newPage()
  await other.goto(`${product.url}/main/contacts/list`)
  await expect(other.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await lock(page)
  await expect(other).toHaveURL(/\/authentication\/lock\?returnUrl=%2Fmain%2Fcontacts/)
  await other.goto(`${product.url}/main/sites`)
  await expect(other).toHaveURL(/\/authentication\/lock\?returnUrl=%2Fmain%2Fsites/)
  await other.reload()
  await expect(other.getByText('LOGGED IN AS')).toBeVisible()
})

test('§2 lock: the password in one tab unlocks all, each at its page', async ({ page, context }) => {
  await enterConsole(page, { url: product.url })
  const other = await context.newPage()
  await other.goto(`${product.url}/main/contacts/list`)
  await expect(other.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await lock(page)
  await expect(other.getByText('LOGGED IN AS')).toBeVisible()
  await page.getByRole('textbox', { name: 'Password' }).fill(administrator.password)
  await page.getByRole('textbox', { name: 'Password' }).press('Enter')
  await expect(page).toHaveURL(`${product.url}/main/sites`)
  await expect(other).toHaveURL(`${product.url}/main/contacts/list`)
  await expect(other.getByRole('navigation', { name: 'Main' })).toBeVisible()
})

test('§2 lock: Back in the browser leads to the lock screen again', async ({ page }) => {
  await enterConsole(page, { url: product.url })
  await page.goto(`${product.url}/main/units/list`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await lock(page)
  await page.goBack()
  await expect(page).toHaveURL(/\/authentication\/lock/)
  await expect(page.getByText('LOGGED IN AS')).toBeVisible()
})

test('§2 lock: of the user, only the data for the lock screen is stored', async ({ page }) => {
  await enterConsole(page, { url: product.url })
  await lock(page)
  const stored = await page.evaluate(() => localStorage.getItem('portcullis-person'))
  expect(JSON.parse(stored ?? '')).toEqual({
    name: 'Administrator',
    email: administrator.email,
    img: null,
    isLocked: true,
    returnUrl: '/main/sites',
  })
})

test('§2 lock: Login as a different user leads to a login without a remembered user', async ({ page }) => {
  await enterConsole(page, { url: product.url })
  await lock(page)
  await page.getByRole('link', { name: 'Login as a different user' }).click()
  await expect(page).toHaveURL(`${product.url}/authentication/login`)
  await page.goto(`${product.url}/authentication/lock`)
  await expect(page).toHaveURL(/\/authentication\/login/)
  await fillIn(page)
  await expect(page).toHaveURL(/\/main\/sites/)
})

test('§2 lock: without a current user it redirects to login, inside an account to that account’s login', async ({
  page,
}) => {
  await page.goto(`${product.url}/authentication/lock`)
  await expect(page).toHaveURL(`${product.url}/authentication/login`)
  await page.goto(`${product.url}/main/authentication/lock?returnUrl=%2Fmain%2Funits`)
  await expect(page).toHaveURL(`${product.url}/main/authentication/login?returnUrl=%2Fmain%2Funits`)
})

test('§4 logout: a user who logged out is not remembered for the lock screen', async ({ page }) => {
  await enterConsole(page, { url: product.url })
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await expect(page).toHaveURL(`${product.url}/authentication/login`)
  await page.goto(`${product.url}/authentication/lock`)
  await expect(page).toHaveURL(`${product.url}/authentication/login`)
})

test('§2 lock: fits and passes axe', async ({ page }) => {
  await enterConsole(page, { url: product.url })
  await lock(page)
  await expectSoundInAllViews(page)
})

async function lock(page: Page) {
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Lock screen' }).click()
  await expect(page).toHaveURL(/\/authentication\/lock/)
  await expect(page.getByText('LOGGED IN AS')).toBeVisible()
}
