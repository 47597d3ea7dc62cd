import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, type Page, test } from '@playwright/test'
import { administrator } from '../administrator.ts'
import { openProduct, type Product } from '../open-product.ts'
import { expectSoundInAllViews } from '../sound.ts'

let product: Product

test.beforeAll(async () => {
  product = await openProduct()
})
test.afterAll(() => product.stop())

const sent = (email: string) =>
  `A reset link has been sent to ${email}. Please check your email and use this link to reset your password.`

test('§2 password-reset: Forgot password sends a mail, its link sets a new password, and that signs in', async ({
  page,
}) => {
  await page.goto(`${product.url}/authentication/login`)
  await page.getByRole('link', { name: 'Forgot password' }).click()
  await expect(page).toHaveURL(/\/authentication\/password-reset$/)
  await expect(page).toHaveTitle('Password Reset - Portcullis')
  await page.getByLabel('Email').fill(administrator.email)
  await page.getByLabel('Email').press('Enter')
  await expect(page.getByText(sent(administrator.email))).toBeVisible()
  const first = await newestLink(1)

  await page.getByRole('button', { name: 'Resend Link' }).click()
  const second = await newestLink(2)
  expect(second).not.toBe(first)
  await page.goto(second)
  await expect(page).toHaveTitle('Password Reset - Portcullis')
  const reset = page.getByRole('button', { name: 'Reset Password' })
  await expect(reset).toBeDisabled()
  await page.getByRole('textbox', { name: 'New password' }).fill('too short')
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('too short')
  await expect(page.getByText('At least 12 characters.')).toBeVisible()
  await expect(reset).toBeDisabled()
  await page.getByRole('textbox', { name: 'New password' }).fill(administrator.email)
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('something else altogether')
  await page.getByRole('textbox', { name: 'New password' }).focus()
  await expect(page.getByText('The passwords do not match.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(administrator.email)
  await reset.click()
  await expect(page.getByRole('alert')).toContainText('It is made of your own name or email.')
  await fillBoth(page, 'seven quiet lighthouses')
  await expect(page.getByText('Your password has been reset.')).toBeVisible()

  await page.getByRole('link', { name: 'Login' }).click()
  await page.getByLabel('Email').fill(administrator.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('seven quiet lighthouses')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/main\/sites/)

  for (const ended of [first, second]) {
    await page.goto(ended)
    await fillBoth(page, 'nine slow ferries')
    await expect(page.getByRole('alert')).toContainText('Please request a new one.')
    await expect(page.getByRole('textbox')).toHaveCount(0)
  }
  await page.getByRole('link', { name: 'Resend Link' }).click()
  await expect(page).toHaveURL(/\/authentication\/password-reset$/)
})

test('§2 password-reset: an unknown email shows the same message, and no mail is written', async ({ page }) => {
  const before = await outbox()
  await page.goto(`${product.url}/main/authentication/password-reset`)
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Send Link' }).click()
  await expect(page.getByText(sent('nobody@example.com'))).toBeVisible()
  await page.getByRole('link', { name: 'Back to login' }).click()
  await expect(page).toHaveURL(/\/main\/authentication\/login$/)
  await page.getByRole('link', { name: 'Forgot password' }).click()
  await page.getByLabel('Email').fill(administrator.email)
  await page.getByRole('button', { name: 'Send Link' }).click()
  await newestLink(before.length + 1)
})

test('§2 password-reset: an administrator of the server sets a password while the server runs', async ({ page }) => {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../scripts/set-password.ts'), administrator.email],
    {
      env: { DATABASE_URL: product.databaseUrl, DATA_DIR: product.dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [, password = ''] = /is now (\S+) /.exec(await text(child.stdout)) ?? []
  await page.goto(`${product.url}/authentication/login`)
  await page.getByLabel('Email').fill(administrator.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/main\/sites/)
})

test('§2 password-reset: fits and passes axe', async ({ page }) => {
  await page.goto(`${product.url}/authentication/password-reset`)
  await expect(page.getByRole('button', { name: 'Send Link' })).toBeVisible()
  await expectSoundInAllViews(page)
  const longEmail = `${'somebody-with-a-long-name'.repeat(2)}@${'subsidiary.'.repeat(3)}example.com`
  await page.getByLabel('Email').fill(longEmail)
  await page.getByRole('button', { name: 'Send Link' }).click()
  await expect(page.getByText(sent(longEmail))).toBeVisible()
  await expectSoundInAllViews(page)
  await page.goto(`${product.url}/authentication/password-reset/${'0'.repeat(8)}/broken`)
  await expect(page.getByRole('link', { name: 'Resend Link' })).toBeVisible()
  await expectSoundInAllViews(page)
  await fillBoth(page, 'seven quiet lighthouses')
  await expect(page.getByRole('alert')).toContainText('Please request a new one.')
  await expectSoundInAllViews(page)
})

async function fillBoth(page: Page, password: string) {
  await page.getByRole('textbox', { name: 'New password' }).fill(password)
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(password)
  await page.getByRole('button', { name: 'Reset Password' }).click()
}

/** The mails that set a new password, newest last; other mails notify the administrator of changes. */
async function outbox() {
  const folder = join(product.dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return mails.filter((mail) => mail.includes('Subject: Reset your Portcullis password'))
}

/** The link of the newest mail, after this many have been sent. */
async function newestLink(count: number) {
  await expect.poll(async () => (await outbox()).length).toBe(count)
  const mail = (await outbox()).at(-1) ?? ''
  expect(mail).toContain(administrator.email)
  return /https?:\S+\/authentication\/password-reset\/\S+\/\S+/.exec(mail)?.[0] ?? ''
}
