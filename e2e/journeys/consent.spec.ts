import { configuration } from '@portcullis/contract/calls/configuration'
import { expect, type Page, test } from '@playwright/test'
import type { TestMailbox } from '../../apps/server/src/mail/test-mailbox.ts'
import { addPersonWithoutConsent, addUnverifiedPerson } from '../people.ts'
import type { Product } from '../open-product.ts'
import { openProductWithMailbox } from '../product-with-mailbox.ts'
import { enterConsole, fillIn } from '../sign-in.ts'
import { expectSound, show, views } from '../sound.ts'

let product: Product
let mailbox: TestMailbox

test.beforeAll(async () => {
  ;({ product, mailbox } = await openProductWithMailbox())
})
test.afterAll(() => product.stop())

test('§4 access guard: without consent only Updated Policies opens; Accept saves all four dates and gives access', async ({
  page,
}) => {
  const person = await addPerson('Ines')
  await page.goto(`${product.url}/authentication/login?returnUrl=%2Fmain%2Funits%2Flist`)
  await fillIn(page, person)
  const modal = page.getByRole('dialog', { name: 'Updated Policies' })
  for (const [name, path] of [
    ['EULA', 'eula'],
    ['Privacy Policy', 'privacy'],
    ['Terms & Conditions', 'terms'],
    ['Disclaimer', 'disclaimer'],
  ] as const) {
    const link = modal.getByRole('link', { name })
    await expect(link).toHaveAttribute('href', `/assets/policy/${path}?lang=en`)
    await expect(link).toHaveAttribute('target', '_blank')
  }
  const opening = page.waitForEvent('popup')
  await modal.getByRole('link', { name: 'Privacy Policy' }).click()
  const policy = await opening
  await expect(policy).toHaveTitle(/^Privacy Policy/)
  await policy.close()

  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(modal.getByRole('button', { name: 'Close' })).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expect(page.getByRole('main')).toHaveCount(0)

  const saving = page.waitForRequest((request) => request.method() === 'PATCH')
  await modal.getByRole('button', { name: 'Accept' }).click()
  const saved = await saving
  expect(new URL(saved.url()).pathname).toBe('/api/users/me')
  const date = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/)
  expect(saved.postDataJSON()).toEqual({ consent: { eula: date, privacy: date, terms: date, disclaimer: date } })
  await expect(modal).toBeHidden()
  await expect(page).toHaveURL(`${product.url}/main/units/list`)
  await page.getByRole('button', { name: 'Switch account' }).click()
  await expect(page.getByRole('listbox').or(page.getByRole('dialog')).getByText('Main account').first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('main')).toBeVisible()
  await expect(modal).toBeHidden()
})

test('§4 access guard: every way into the console opens one modal in each tab', async ({ page, context }) => {
  const person = await addPerson('Jonas')
  await page.goto(`${product.url}/main/sites`)
  await fillIn(page, person)
  await expect(page.getByRole('dialog', { name: 'Updated Policies' })).toHaveCount(1)
  await page.goto(`${product.url}/main/events/list`)
  await expect(page.getByRole('dialog', { name: 'Updated Policies' })).toHaveCount(1)
  const other = await context.newPage()
  await other.goto(`${product.url}/main/units/list`)
  await expect(other.getByRole('dialog', { name: 'Updated Policies' })).toHaveCount(1)
})

test('§4 access guard: a user who does not accept can leave', async ({ page }) => {
  const person = await addPerson('Leila')
  await enterConsole(page, { url: product.url, path: '/main/sites', user: person })
  await page.getByRole('dialog', { name: 'Updated Policies' }).getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL(`${product.url}/authentication/login`)
})

test('§4 access guard: a user with an unconfirmed email must confirm it first, and is not asked for consent', async ({
  page,
}) => {
  const person = await addUnverifiedPerson(product, mailbox, { name: 'Mihai', email: 'mihai@portcullis.example' })
  await openLogin(page)
  await fillIn(page, person)
  await expect(page).toHaveURL(/\/authentication\/email-request/)
  await page.goto(`${product.url}/main/sites`)
  await expect(page).toHaveURL(/\/authentication\/email-request\?returnUrl=%2Fmain%2Fsites/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('§4 access guard: a user whose consent is newer than the policies sees no modal', async ({ page }) => {
  await enterConsole(page, { url: product.url })
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('§4 access guard: a policy changed after the consent requires it again', async ({ page }) => {
  await page.route('**/config', async (route) => {
    const response = await route.fetch()
    const settings = configuration.parse(await response.json())
    const terms = new Date(Date.now() + 3_600_000).toISOString()
    await route.fulfill({ response, json: { ...settings, policyUpdated: { ...settings.policyUpdated, terms } } })
  })
  await enterConsole(page, { url: product.url })
  await expect(page.getByRole('dialog', { name: 'Updated Policies' })).toBeVisible()
})

test('§4 access guard: the modal fits, passes axe, its body is at most 60vh', async ({ page }) => {
  const person = await addPerson('Nuru')
  await enterConsole(page, { url: product.url, path: '/main/sites', user: person })
  const modal = page.getByRole('dialog', { name: 'Updated Policies' })
  await expect(modal).toBeVisible()
  for (const view of views) {
    await show(page, view)
    await expectSound(page)
    await page.setViewportSize({ width: view.width, height: 300 })
    const { height } = (await modal.getByRole('list').locator('..').boundingBox()) ?? { height: Number.NaN }
    expect(height).toBeLessThanOrEqual(180)
    await expect(modal.getByRole('button', { name: 'Accept' })).toBeInViewport()
  }
})

function addPerson(name: string) {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@portcullis.example`
  return addPersonWithoutConsent(product, mailbox, { name, email })
}

async function openLogin(page: Page) {
  await page.goto(`${product.url}/authentication/login`)
}
