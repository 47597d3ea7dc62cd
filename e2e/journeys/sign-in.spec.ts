import { expect, test } from '@playwright/test'
import { administrator } from '../administrator.ts'
import { openProduct, type Product } from '../open-product.ts'
import { fillIn } from '../sign-in.ts'
import { expectSoundInAllViews } from '../sound.ts'

let product: Product

test.beforeAll(async () => {
  product = await openProduct()
})
test.afterAll(() => product.stop())

test('§2 login: a URL without a page leads to the login, and the login to the account’s home page', async ({
  page,
}) => {
  await page.goto(product.url)
  await expect(page).toHaveURL(/\/authentication\/login/)
  await expect(page).toHaveTitle('Login - Portcullis')
  await fillIn(page)
  await expect(page).toHaveURL(/\/main\/sites/)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
})

test('§8 login failure: a wrong password and an unknown email show the same message under the form', async ({
  page,
}) => {
  const shown: (string | null)[] = []
  for (const email of [administrator.email, 'nobody@example.com']) {
    await page.goto(`${product.url}/authentication/login`)
    await fillIn(page, { email, password: 'not the password' })
    const error = page.getByRole('alert')
    await expect(error).toBeVisible()
    shown.push(await error.textContent())
  }
  expect(shown[0]).toBe(shown[1])
})

test('§4 logout: sign-in opens the page requested, and Log Out ends the session on the server', async ({ page }) => {
  await page.goto(`${product.url}/main/units`)
  await expect(page).toHaveURL(/returnUrl/)
  await fillIn(page)
  await expect(page).toHaveURL(/\/main\/units/)
  const cookies = await page.context().cookies()
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await expect(page).toHaveURL(/\/authentication\/login/)
  const stale = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${product.url}/api/users/me`, { headers: { cookie: stale, 'x-js-account': 'null' } })
  expect(answer.status).toBe(401)
})

test('§2 login: fits and passes axe, with the cookie banner and with an error', async ({ page }) => {
  await page.goto(`${product.url}/authentication/login`)
  await expect(page.getByText('Please enter your email and password.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Cookies' })).toBeVisible()
  await expectSoundInAllViews(page)
  await fillIn(page, { email: 'nobody@example.com', password: 'not the password' })
  await expect(page.getByRole('alert')).not.toBeEmpty()
  await expectSoundInAllViews(page)
})
