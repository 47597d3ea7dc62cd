import { readFile } from 'node:fs/promises'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { expect, type Page, test } from '@playwright/test'
import { z } from 'zod'
import type { TestMailbox } from '../../apps/server/src/mail/test-mailbox.ts'
import { codeOf, wrongCode } from '../authenticator.ts'
import { addPerson, type Person } from '../people.ts'
import type { Product } from '../open-product.ts'
import { openProductWithMailbox } from '../product-with-mailbox.ts'
import { fillIn } from '../sign-in.ts'
import { expectSoundInAllViews } from '../sound.ts'

// Parallel, because no test depends on the data of another.
test.describe.configure({ mode: 'parallel' })

let product: Product
let mailbox: TestMailbox

test.beforeAll(async () => {
  ;({ product, mailbox } = await openProductWithMailbox())
})
test.afterAll(() => product.stop())

test('§4 MFA modal: an enrolled user signs in with a code; the message about a wrong one disappears on typing', async ({
  page,
}) => {
  const { person, key } = await addEnrolled('Amara')
  await page.goto(`${product.url}/authentication/login?returnUrl=%2Fmain%2Funits%2Flist`)
  await fillIn(page, person)
  const modal = page.getByRole('dialog', { name: 'Two-factor authentication' })
  const code = modal.getByLabel('Verification code')
  const signIn = modal.getByRole('button', { name: 'Sign In' })
  await expect(code).toBeFocused()
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(code).toHaveAttribute('inputmode', 'numeric')
  await expect(signIn).toBeDisabled()
  for (const invalid of ['12345', '1234567', '12345a']) {
    await code.fill(invalid)
    await expect(modal.getByText('Please enter a valid OTP.')).toBeVisible()
    await expect(signIn).toBeDisabled()
  }
  await code.fill(wrongCode(key))
  await expect(modal.getByText('Please enter a valid OTP.')).toBeHidden()
  await signIn.click()
  await expect(modal.getByText('Invalid OTP provided.')).toBeVisible()
  await code.press('Backspace')
  await expect(modal.getByText('Invalid OTP provided.')).toBeHidden()

  const right = codeOf(key, 1)
  await code.fill(`${right.slice(0, 3)} ${right.slice(3)} `)
  await expect(code).toHaveValue(right)
  await signIn.click()
  await expect(page).toHaveURL(`${product.url}/main/units/list`)
})

test('§4 MFA modal: the backdrop is static; closing the modal logs out', async ({ page }) => {
  const { person } = await addEnrolled('Bram')
  await openLogin(page, person)
  const modal = page.getByRole('dialog', { name: 'Two-factor authentication' })
  await expect(modal).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(modal).toBeVisible()
  const loggedOut = page.waitForResponse('**/api/auth/logout')
  await modal.getByRole('button', { name: 'Close' }).click()
  await loggedOut
  await expect(modal).toBeHidden()
  await page.goto(`${product.url}/main/sites`)
  await expect(page).toHaveURL(/\/authentication\/login\?returnUrl=%2Fmain%2Fsites/)
})

test('§4 MFA modal: a user who leaves during a sign-in must start again', async ({ page }) => {
  const { person } = await addEnrolled('Chidi')
  await openLogin(page, person)
  await expect(page.getByRole('dialog', { name: 'Two-factor authentication' })).toBeVisible()
  await page.goto(`${product.url}/main/sites`)
  await expect(page).toHaveURL(/\/authentication\/login\?returnUrl=%2Fmain%2Fsites/)
})

test('§4 MFA modal: a recovery code signs in instead, once', async ({ page }) => {
  const { person, recoveryCodes } = await addEnrolled('Dina')
  const [recoveryCode = ''] = recoveryCodes
  await openLogin(page, person)
  await signInWith(page, recoveryCode)
  await expect(page).toHaveURL(/\/main\/sites/)
  await page.context().clearCookies()
  await openLogin(page, person)
  await signInWith(page, recoveryCode.toUpperCase())
  await expect(page.getByRole('dialog').getByText('Invalid OTP provided.')).toBeVisible()
  await page.getByRole('button', { name: 'Use a code from the app instead' }).click()
  await expect(page.getByLabel('Verification code')).toBeFocused()
})

test('§4 MFA modal: the lock screen also requires a code, which returns to the same page', async ({ page }) => {
  const { person, key, recoveryCodes } = await addEnrolled('Ebbe')
  await openLogin(page, person)
  await page.getByLabel('Verification code').fill(codeOf(key, 1))
  await page.getByRole('button', { name: 'Sign In' }).last().click()
  await expect(page).toHaveURL(/\/main\/sites/)
  await page.goto(`${product.url}/main/contacts/list`)
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Lock screen' }).click()
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByRole('dialog', { name: 'Two-factor authentication' })).toBeVisible()
  await expect(page).toHaveURL(/\/authentication\/lock/)
  await signInWith(page, recoveryCodes[1] ?? '')
  await expect(page).toHaveURL(`${product.url}/main/contacts/list`)
})

test.describe('where the account enforces MFA', () => {
  test('§4 MFA modal: it is required; three steps set it up, its recovery codes are shown once, and the code signs in', async ({
    page,
  }) => {
    const person = await addPersonToSetUp('Freya')
    await openLogin(page, person)
    const modal = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
    await expect(modal.getByRole('heading', { level: 3 })).toHaveText([
      'Download an authenticator app',
      'Scan the QR code',
      'Enter the verification code',
    ])
    await expect(modal.getByRole('button', { name: 'Close' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await expect(modal).toBeVisible()

    const showQr = modal.getByRole('button', { name: 'Show QR' })
    const verify = modal.getByRole('button', { name: 'Verify' })
    const code = modal.getByLabel('Verification code')
    await code.fill('123456')
    await expect(verify).toBeDisabled()
    await showQr.click()
    await expect(modal.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
    await expect(showQr).toBeDisabled()
    await expect(verify).toBeEnabled()
    const key = (await modal.locator('code').textContent()) ?? ''
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await modal.getByRole('button', { name: 'Copy the key' }).click()
    await expect(modal.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)

    await code.fill(wrongCode(key))
    await verify.click()
    await expect(modal.getByText('Invalid OTP provided. Two-factor authentication setup failed.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Messages' })).toContainText('MFA setup failed')
    await code.press('Backspace')
    await expect(modal.getByText('Invalid OTP provided.')).toBeHidden()
    await expect(verify).toBeDisabled()

    await code.fill(codeOf(key))
    await verify.click()
    await expect(page.getByRole('region', { name: 'Messages' })).toContainText('MFA setup complete')
    const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
    await expect(codes.getByRole('listitem')).toHaveCount(10)
    const shown = await codes.getByRole('listitem').allTextContents()
    expect(new Set(shown).size).toBe(10)
    await codes.getByRole('button', { name: 'Copy' }).click()
    await expect(codes.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown.join('\n'))
    const downloading = page.waitForEvent('download')
    await codes.getByRole('link', { name: 'Download' }).click()
    const file = await readFile(await (await downloading).path(), 'utf8')
    for (const one of shown) expect(file).toContain(one)
    await page.keyboard.press('Escape')
    await codes.getByRole('button', { name: 'I have saved them' }).click()
    await expect(page).toHaveURL(/\/main\/sites/)
    await page.reload()
    await expect(page).toHaveURL(/\/main\/sites/)
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  })

  test('§4 MFA modal: each of its steps fits and passes axe', async ({ page }) => {
    const person = await addPersonToSetUp('Hanna')
    await openLogin(page, person)
    await page.getByRole('button', { name: 'Show QR' }).click()
    await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
    await page.getByLabel('Verification code').fill('12')
    await expectSoundInAllViews(page)
    const key = (await page.getByRole('dialog').locator('code').first().textContent()) ?? ''
    await page.getByLabel('Verification code').fill(codeOf(key))
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page.getByRole('button', { name: 'I have saved them' })).toBeVisible()
    await expectSoundInAllViews(page)

    await page.context().clearCookies()
    await openLogin(page, person)
    await page.getByLabel('Verification code').fill('12')
    await expect(page.getByText('Please enter a valid OTP.')).toBeVisible()
    await expectSoundInAllViews(page)
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
    await expect(page.getByLabel('Recovery code')).toBeVisible()
    await expectSoundInAllViews(page)
  })
})

/** A user who must set up MFA and has not done so yet. */
async function addPersonToSetUp(name: string) {
  await setEnforced('no')
  const person = await add(name)
  await setEnforced('yes')
  return person
}

async function setEnforced(enforced: 'yes' | 'no') {
  const { account } = await product.client.me()
  const path = `/api/accounts/${account?._id}/enforceMFA`
  await product.client.http.request({
    method: 'POST',
    path,
    body: { enforce: enforced === 'yes' },
    account: 'main',
    answer: z.unknown(),
  })
}

function add(name: string) {
  return addPerson(product, mailbox, { name, email: `${name.toLowerCase().replaceAll(' ', '.')}@portcullis.example` })
}

/** A user with an authenticator, its key and its recovery codes. */
async function addEnrolled(name: string) {
  const person = await add(name)
  const { client } = await signedInClient({ baseUrl: product.url, ...person })
  const { key } = await client.mfa.setUp()
  const { recoveryCodes } = await client.mfa.enrol(codeOf(key))
  return { person, key, recoveryCodes }
}

async function openLogin(page: Page, person: Person) {
  await page.goto(`${product.url}/authentication/login`)
  await fillIn(page, person)
}

async function signInWith(page: Page, recoveryCode: string) {
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCode)
  await page.getByRole('dialog').getByRole('button', { name: 'Sign In' }).click()
}
