import { type BrowserContext, expect, type Page } from '@playwright/test'
import { administrator } from './administrator.ts'

type Credentials = { email: string; password: string }

/** Signs the administrator in through the form, accepts cookies, and waits for the account's home page. */
export async function signIn(page: Page, url: string) {
  await page.goto(`${url}/authentication/login`)
  await expect(page.getByLabel('Email')).toBeVisible()
  const accept = page.getByRole('button', { name: 'Accept all' })
  if (await accept.isVisible()) await accept.click()
  await fillIn(page)
  await expect(page).toHaveURL(/\/sites/)
}

const english = { email: 'Email', password: 'Password', signIn: 'Sign In' }

/** Fills in the open login form and presses Sign In. The labels are in the page's language. */
export async function fillIn(page: Page, { email, password }: Credentials = administrator, labels = english) {
  await page.getByLabel(labels.email).fill(email)
  await page.getByRole('textbox', { name: labels.password }).fill(password)
  await page.getByRole('button', { name: labels.signIn }).click()
}

/**
 * Opens the console at a path, signed in by a call and with cookies accepted, for journeys about other features. Without a
 * path it waits for the account's home page.
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

/** Signs a browser in by a call, without the form. */
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
