import { doors } from '@portcullis/contract/collections/doors'
import { units } from '@portcullis/contract/collections/units'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { openWithControllers, type ProductWithControllers } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { isInStep, makeSmallSite } from '../small-site.ts'
import { violationsOf } from '../sound.ts'

let product: ProductWithControllers

test.beforeAll(async () => {
  product = await openWithControllers()
})
test.afterAll(() => product.stop())

const hourMs = 3_600_000

async function makeKeypad(serial: string) {
  const { client } = product
  const made = await makeSmallSite({ client, control: product.controllers.control, serial })
  await client.of(doors).patch(made.door._id, { acceptsPinAlone: true })
  return made
}

/** In the console: a link and a code for the door, for the next hour. */
async function invite(page: Page, door: string) {
  await enterConsole(page, { url: product.url, path: '/main/rules/adhoc?open=new' })
  const drawer = page.getByRole('dialog')
  await drawer.getByText('A guest', { exact: true }).click()
  await drawer.getByLabel('Name of the guest').fill('Zoltán Szabó')
  await drawer.getByPlaceholder('add…').fill(door)
  await page.getByRole('option', { name: door }).click()
  await drawer.getByRole('checkbox', { name: 'A code' }).check()
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
  await drawer.getByRole('button', { name: 'Invite' }).click()
  const [code, link] = [drawer.getByRole('region', { name: 'Code' }), drawer.getByRole('region', { name: 'Link' })]
  const pass = { code: await code.locator('code').innerText(), link: await link.locator('code').innerText() }
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
  await drawer.getByRole('button', { name: 'Done' }).click()
  return pass
}

/** The guest's phone, which has no session. */
async function openPhone(browser: Browser, link: string) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const phone = await context.newPage()
  await phone.goto(link)
  return phone
}

test('§5 guest: a guest opens a door by link and by code, until the access is ended', async ({ page, browser }) => {
  const { control } = product.controllers
  const { unit, door, serial } = await makeKeypad('G-1')
  const { code, link } = await invite(page, door.name)
  await expect.poll(() => isInStep(product.client, unit._id)).toBe(true)

  const requested: string[] = []
  const phone = await openPhone(browser, link)
  phone.on('request', (request) => requested.push(request.url()))
  await expect(phone.getByRole('heading', { name: 'Hello Zoltán Szabó' })).toBeVisible()
  expect(await violationsOf(phone)).toEqual([])
  await phone.getByRole('button', { name: `Open ${door.name}` }).click()
  await expect(phone.getByText('The door is unlocked for a few seconds. Open it now.')).toBeVisible()
  expect(requested.filter((url) => url.includes(new URL(link).hash.slice(1)))).toEqual([])
  const enter = (pin: string) => control.present(serial, { door: 1, kind: 'pin', pin })
  expect(await enter(code)).toEqual({ verdict: 'grant', reason: null })

  await page.goto(`${product.url}/main/rules/adhoc`)
  const row = page.getByRole('row', { name: /Zoltán Szabó/ })
  await expect(row).toContainText('Guest')
  await row.getByRole('button', { name: 'End now' }).click()
  await expect(row).toContainText('Ended')
  await expect.poll(async () => (await enter(code)).verdict).toBe('deny')
  await phone.reload()
  await expect(phone.getByText('This access has ended')).toBeVisible()
  expect(await violationsOf(phone)).toEqual([])
  await phone.context().close()
})

test('§5 guest: the access ends by itself while the controller is offline, and the page says so', async ({
  page,
  browser,
}) => {
  const { client } = product
  const { control } = product.controllers
  const { unit, door, serial } = await makeKeypad('G-2')
  const { code, link } = await invite(page, door.name)
  await expect.poll(() => isInStep(client, unit._id)).toBe(true)
  await control.setFaults(serial, { offline: true })
  await expect.poll(async () => (await client.of(units).get(unit._id)).status).toBe('offline')
  const phone = await openPhone(browser, link)
  await phone.getByRole('button', { name: `Open ${door.name}` }).click()
  await expect(phone.getByText('This door cannot be reached now.')).toBeVisible()
  await phone.context().close()
  expect(await control.present(serial, { door: 1, kind: 'pin', pin: code })).toEqual({ verdict: 'grant', reason: null })
  await control.setFaults(serial, { clockOffsetMs: 2 * hourMs })
  expect(await control.present(serial, { door: 1, kind: 'pin', pin: code })).toEqual({
    verdict: 'deny',
    reason: 'adhoc_ended',
  })
})
