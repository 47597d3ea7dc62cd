import { credentials } from '@portcullis/contract/collections/credentials'
import { units } from '@portcullis/contract/collections/units'
import { users } from '@portcullis/contract/collections/users'
import { expect, test } from '@playwright/test'
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

test('§2 adhoc: temporary access starts and ends by itself at the door of an offline controller', async ({ page }) => {
  const { client } = product
  const { control } = product.controllers
  const { unit, door, serial } = await makeSmallSite({ client, control, serial: 'T-1' })
  const visitor = await client.of(users).create({ name: 'Zoltán Szabó' })
  const number = '0500-T-1'
  await client.of(credentials).create({ kind: 'card', number, user: visitor._id })

  await enterConsole(page, { url: product.url, path: '/main/rules/adhoc?open=new' })
  const drawer = page.getByRole('dialog')
  for (const [index, name] of [visitor.name, door.name].entries()) {
    await drawer.getByPlaceholder('add…').nth(index).fill(name)
    await page.getByRole('option', { name }).click()
  }
  // From the next full hour on.
  await drawer.getByText('Later', { exact: true }).click()
  await drawer.getByRole('radio', { name: 'After 4 hours' }).check()
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Upcoming (1)' }).click()
  await expect(page.getByRole('row', { name: /Zoltán Szabó/ })).toContainText('Starts in')
  expect(await violationsOf(page)).toEqual([])
  await expect.poll(() => isInStep(client, unit._id)).toBe(true)

  await control.setFaults(serial, { offline: true })
  await expect.poll(async () => (await client.of(units).get(unit._id)).status).toBe('offline')
  const presentAfter = async (hours: number) => {
    await control.setFaults(serial, { clockOffsetMs: hours * hourMs })
    return control.present(serial, { door: 1, number })
  }
  expect(await presentAfter(0)).toEqual({ verdict: 'deny', reason: 'adhoc_not_started' })
  expect(await presentAfter(2)).toEqual({ verdict: 'grant', reason: null })
  expect(await presentAfter(6)).toEqual({ verdict: 'deny', reason: 'adhoc_ended' })
  expect((await client.of(units).get(unit._id)).status).toBe('offline')
})
