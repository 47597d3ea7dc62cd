import { endOtherSessions } from '@portcullis/contract/calls/own-sessions'
import { expect, type Page, test } from '@playwright/test'
import type { TestMailbox } from '../../apps/server/src/mail/test-mailbox.ts'
import { addPerson, addUnverifiedPerson, linkMailedTo } from '../people.ts'
import type { Product } from '../open-product.ts'
import { openProductWithMailbox } from '../product-with-mailbox.ts'
import { enterConsole, fillIn, signIn } from '../sign-in.ts'
import { expectSoundInAllViews } from '../sound.ts'

// Parallel, because no test depends on the data of another.
test.describe.configure({ mode: 'parallel' })

let product: Product
let mailbox: TestMailbox

test.beforeAll(async () => {
  ;({ product, mailbox } = await openProductWithMailbox())
})
test.afterAll(() => product.stop())

const confirmed = 'Your email address has been successfully confirmed.'
const pleaseVerify = (email: string) => `Please verify your email by following the link sent to ${email}.`

test('§2 authentication: a path without a page opens the login, also inside an account', async ({ page }) => {
  for (const area of ['/authentication', '/main/authentication']) {
    for (const place of ['', '/', '/nothing', '/password-reset/nobody', '/a/b/c']) {
      await page.goto(`${product.url}${area}${place}`)
      await expect(page).toHaveURL(`${product.url}${area}/login`)
    }
    await expect(page).toHaveTitle('Login - Portcullis')
  }
})

test('§2 login: inside an account it leads to that account’s home page', async ({ page }) => {
  await page.goto(`${product.url}/main/authentication/login`)
  await fillIn(page)
  await expect(page).toHaveURL(`${product.url}/main/sites`)
})

for (const evil of [
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/%2Fevil.example',
  '/%5Cevil.example',
  '/\t/evil.example',
  'javascript:alert(document.domain)',
  '/authentication/login',
]) {
  test(`§4 logout: a returnUrl never leads to another site: ${JSON.stringify(evil)}`, async ({ page }) => {
    await page.goto(`${product.url}/authentication/login?${new URLSearchParams({ returnUrl: evil })}`)
    await fillIn(page)
    await expect(page).toHaveURL(`${product.url}/main/sites`)
  })
}

test('§4 logout: the return URL survives the password reset page and is used after sign-in', async ({ page }) => {
  await page.goto(`${product.url}/main/units/list?search=gate`)
  await expect(page).toHaveURL(/\/authentication\/login\?returnUrl=/)
  await page.getByRole('link', { name: 'Forgot password' }).click()
  await page.getByRole('link', { name: 'Back to login' }).click()
  await fillIn(page)
  await expect(page).toHaveURL(`${product.url}/main/units/list?search=gate`)
})

test('§8 HTTP 307 on any request logs the user out and keeps the return URL', async ({ page }) => {
  const answer = { status: 307, headers: { location: '/elsewhere/login' } }
  await page.route('**/api/contacts?*', (route) => route.fulfill(answer))
  await enterConsole(page, { url: product.url, path: '/main/contacts/list' })
  await expect(page).toHaveURL(`${product.url}/authentication/login?returnUrl=%2Fmain%2Fcontacts%2Flist`)
})

test('§4 logout: a session that is ended elsewhere opens the login at once and keeps the return URL', async ({
  page,
}) => {
  await enterConsole(page, { url: product.url, path: '/main/events/list' })
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  const path = '/api/users/me/sessions/endOthers'
  await product.client.http.request({ method: 'POST', path, answer: endOtherSessions.output })
  await expect(page).toHaveURL(`${product.url}/authentication/login?returnUrl=%2Fmain%2Fevents%2Flist`)
})

test('§4 login: signing in as another user in one tab applies to all', async ({ page, context }) => {
  const person = await addPerson(product, mailbox, { name: 'Samira', email: 'samira@portcullis.example' })
  await enterConsole(page, { url: product.url })
  const other = await context.newPage()
  await openLogin(other)
  await fillIn(other, person)
  await expect(other).toHaveURL(/\/main\/sites/)
  const menu = page.getByRole('button', { name: 'User menu' })
  await expect(menu).toHaveAttribute('data-initials', 'S')
  await menu.click()
  await expect(page.getByText(person.email)).toBeVisible()
})

test('§4 login: signing in in one tab signs in all waiting tabs, each at the page it was on', async ({
  page,
  context,
}) => {
  await page.goto(`${product.url}/main/contacts/list`)
  await expect(page).toHaveURL(/\/authentication\/login\?returnUrl=%2Fmain%2Fcontacts/)
  const other = await context.newPage()
  await signIn(other, product.url)
  await expect(page).toHaveURL(`${product.url}/main/contacts/list`)
  await expect(page.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible()
})

test('§2 email-request: a user with an unconfirmed email is redirected there, and the mailed link confirms it', async ({
  page,
  context,
}) => {
  const person = await addUnverifiedPerson(product, mailbox, { name: 'Oskar', email: 'oskar@portcullis.example' })
  await page.goto(`${product.url}/authentication/login?returnUrl=%2Fmain%2Funits%2Flist`)
  await fillIn(page, person)
  await expect(page).toHaveURL(`${product.url}/authentication/email-request?returnUrl=%2Fmain%2Funits%2Flist`)
  await expect(page).toHaveTitle('Verify Email - Portcullis')
  await expect(page.getByText(pleaseVerify(person.email))).toBeVisible()
  const first = await linkMailedTo(mailbox, { email: person.email, page: 'email-confirm' })
  await page.getByRole('button', { name: 'Resend Email' }).click()
  await expect(page.getByText('A new email has been sent.')).toBeVisible()
  const second = await linkMailedTo(mailbox, { email: person.email, page: 'email-confirm', count: 2 })
  expect(second).not.toBe(first)

  const mail = await context.newPage()
  const { promise: isHeld, resolve: respond } = Promise.withResolvers<void>()
  await mail.route('**/verify/*', async (route) => {
    await isHeld
    await route.continue()
  })
  await mail.goto(second)
  await expect(mail).toHaveTitle('Confirm Email - Portcullis')
  await expect(mail.getByRole('status', { name: 'Your email address is being confirmed.' })).toBeVisible()
  respond()
  await expect(mail.getByText(confirmed)).toBeVisible()
  await mail.getByRole('button', { name: 'Login' }).click()
  await expect(mail).toHaveURL(/\/authentication\/login$/)

  await mail.goto(second)
  await expect(mail.getByRole('alert')).toContainText('This link has been used or has expired')
  await mail.close()
  await page.reload()
  await expect(page).toHaveURL(`${product.url}/main/units/list`)
})

test('§2 email-request: Login as another user logs out', async ({ page, context }) => {
  const person = await addUnverifiedPerson(product, mailbox, { name: 'Petra', email: 'petra@portcullis.example' })
  await openLogin(page)
  await fillIn(page, person)
  await expect(page.getByText(pleaseVerify(person.email))).toBeVisible()
  const cookies = await context.cookies()
  await page.getByRole('link', { name: 'Login as another user' }).click()
  await expect(page).toHaveURL(`${product.url}/authentication/login`)
  const stale = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${product.url}/api/users/me`, { headers: { cookie: stale, 'x-js-account': 'null' } })
  expect(answer.status).toBe(401)
})

test('§2 email-request: only for signed-in users with an unconfirmed email', async ({ page }) => {
  await page.goto(`${product.url}/main/authentication/email-request`)
  await expect(page).toHaveURL(`${product.url}/main/authentication/login`)
  await fillIn(page)
  await expect(page).toHaveURL(`${product.url}/main/sites`)
  await page.goto(`${product.url}/authentication/email-request`)
  await expect(page).toHaveURL(`${product.url}/main/sites`)
})

test('§2 email-confirm: an unknown link shows an error, also inside an account', async ({ page }) => {
  for (const area of ['/authentication', '/main/authentication']) {
    await page.goto(`${product.url}${area}/email-confirm/0198c0de-0000-7000-8000-000000000000/nothing`)
    await expect(page).toHaveTitle('Confirm Email - Portcullis')
    await expect(page.getByRole('alert')).toBeVisible()
    await page.getByRole('link', { name: 'Login' }).click()
    await expect(page).toHaveURL(`${product.url}${area}/login`)
  }
})

test('§2 user menu: My profile, User settings, Lock screen and Log Out, and the choice of colour scheme', async ({
  page,
}) => {
  const person = await addPerson(product, mailbox, { name: 'Quinn', email: 'quinn@portcullis.example' })
  await openLogin(page)
  await fillIn(page, person)
  await page.getByRole('button', { name: 'User menu' }).click()
  const items = page.getByRole('menu').getByRole('menuitem')
  await expect(items).toHaveText(['My profile', 'User settings', 'Lock screen', 'Log Out'])
  await expect(items.nth(0)).toHaveAttribute('href', '/main/users/settings')
  await expect(items.nth(1)).toHaveAttribute('href', '/main/users/settings?tab=password')
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('§2 authentication: email pages fit and pass axe', async ({ page }) => {
  await page.goto(`${product.url}/authentication/email-confirm/0198c0de-0000-7000-8000-000000000000/nothing`)
  await expect(page.getByRole('alert')).toBeVisible()
  await expectSoundInAllViews(page)
  await page.route('**/verify/*', (route) => route.fulfill({ json: { outcome: 'verified' } }))
  await page.reload()
  await expect(page.getByText(confirmed)).toBeVisible()
  await expectSoundInAllViews(page)
  const email = 'rhea@portcullis.example'
  const person = await addUnverifiedPerson(product, mailbox, { name: 'Rhea', email })
  await openLogin(page)
  await fillIn(page, person)
  await expect(page.getByText(pleaseVerify(email))).toBeVisible()
  await expectSoundInAllViews(page)
})

async function openLogin(page: Page) {
  await page.goto(`${product.url}/authentication/login`)
}
