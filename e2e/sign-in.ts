import { type BrowserContext, expect, type Page } from '@playwright/test'
import { administrator } from './administrator.ts'

/** Signs the administrator in as a person does who agrees to cookies, and waits for the home of the account. */
export async function signIn(page: Page, url: string) {
  await page.goto(`${url}/authentication/login`)
  await expect(page.getByLabel('Email')).toBeVisible()
  const accept = page.getByRole('button', { name: 'Accept all' })
  if (await accept.isVisible()) await accept.click()
  await fillIn(page)
  await expect(page).toHaveURL(/\/sites/)
}

/** Fills in the login form that is open, and presses Sign In. */
export async function fillIn(page: Page, { email, password }: { email: string; password: string } = administrator) {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/** Signs a browser in without its form, for journeys that are about something else. */
export async function signInByCall(
  { request }: BrowserContext,
  { url, email, password }: { url: string; email: string; password: string },
) {
  const answer = await request.post(`${url}/api/auth/login`, {
    data: { email, password, type: 'Local' },
    headers: { 'x-js-account': 'null', origin: url },
  })
  expect(answer.status()).toBe(200)
}
