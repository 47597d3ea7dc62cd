import { type BrowserContext, expect, type Page } from '@playwright/test'
import { administrator } from './administrator.ts'

type Credentials = { email: string; password: string }

/** Signs the administrator in through the form, agreeing to cookies, and waits for the home of the account. */
export async function signIn(page: Page, url: string) {
  await page.goto(`${url}/authentication/login`)
  await expect(page.getByLabel('Email')).toBeVisible()
  const accept = page.getByRole('button', { name: 'Accept all' })
  if (await accept.isVisible()) await accept.click()
  await fillIn(page)
  await expect(page).toHaveURL(/\/sites/)
}

/** Fills in the login form that is open, and presses Sign In. */
export async function fillIn(page: Page, { email, password }: Credentials = administrator) {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/**
 * Opens the console at a path, signed in by a call and with cookies agreed to, for journeys about something else. Without a
 * path it waits for the home of the account.
 */
export async function enterConsole(
  page: Page,
  { url, path, user = administrator }: { url: string; path?: string; user?: Credentials },
) {
  const context = page.context()
  await signInByCall(context, { url, ...user })
  await context.addInitScript(() => {
    if (location.protocol.startsWith('http') && !localStorage.getItem('cookies')) localStorage.setItem('cookies', 'all')
  })
  await page.goto(`${url}${path ?? ''}`)
  if (path === undefined) await expect(page).toHaveURL(/\/sites/)
}

/** Signs a browser in without its form. */
export async function signInByCall(
  { request }: BrowserContext,
  { url, email, password }: Credentials & { url: string },
) {
  const answer = await request.post(`${url}/api/auth/login`, {
    data: { email, password, type: 'Local' },
    headers: { 'x-js-account': 'null', origin: url },
  })
  expect(answer.status()).toBe(200)
}
