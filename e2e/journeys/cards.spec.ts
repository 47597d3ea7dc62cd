import { credentials } from '@portcullis/contract/collections/credentials'
import { events } from '@portcullis/contract/collections/events'
import { expect, test } from '@playwright/test'
import { openWithControllers, type ProductWithControllers } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { isInStep, makeSmallSite } from '../small-site.ts'
import { violationsOf } from '../sound.ts'

const serial = 'T-1'
/** A card of 26 bits: facility code 118, number 1603. */
const number = '2EC0C86'

let product: ProductWithControllers
let place: Awaited<ReturnType<typeof makeSmallSite>>

test.beforeAll(async () => {
  product = await openWithControllers()
  place = await makeSmallSite({ client: product.client, control: product.controllers.control, serial })
})
test.afterAll(() => product.stop())

test('an unknown card presented at a selected door is filled in, assigned, and opens the door', async ({ page }) => {
  const present = (card: string) => product.controllers.control.present(serial, { door: 1, number: card })
  await enterConsole(page, { url: product.url, path: `/main/users/list?open=${place.person._id}` })
  await page.getByRole('button', { name: 'Add credential' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add credential' })
  await dialog.getByRole('button', { name: 'Read at a door…' }).click()
  await dialog.getByRole('combobox', { name: 'Door' }).click()
  await page.getByRole('option', { name: place.door.name }).click()
  await expect(dialog.getByRole('status')).toContainText('Present the card at this door.')
  expect(await violationsOf(page)).toEqual([])

  // A card that was lost does not come back by being presented.
  await product.client.of(credentials).create({ kind: 'card', number: 'L-1', status: 'lost' })
  expect(await present('L-1')).toMatchObject({ verdict: 'deny' })
  await expect(dialog.getByText('L-1 is unassigned, but not free: its status is Lost.')).toBeVisible()

  // The card of a user is another user's business.
  expect(await present(place.number)).toEqual({ verdict: 'grant', reason: null })
  expect(await present(number)).toEqual({ verdict: 'deny', reason: 'credential_unknown' })
  await expect(dialog.getByRole('textbox', { name: 'Number', exact: true })).toHaveValue(number)
  await dialog.getByRole('combobox', { name: 'Card format' }).click()
  await expect(page.getByRole('option')).toHaveText(['Number as read only', 'Wiegand 26 bits'])
  await page.getByRole('option', { name: 'Wiegand 26 bits' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Facility code' })).toHaveValue('118')
  await expect(dialog.getByRole('textbox', { name: 'Number on the card' })).toHaveValue('1603')
  await expect(dialog.getByText(`Number as read: ${number}`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('118 / 1603 (Wiegand 26 bits)')).toBeVisible()

  await expect.poll(() => isInStep(product.client, place.unit._id)).toBe(true)
  await expect.poll(() => present(number)).toEqual({ verdict: 'grant', reason: null })
})

test('the event of an unknown card shows its printed number, and assigns it to a user', async ({ page }) => {
  const other = '2EC0C89'
  await product.controllers.control.present(serial, { door: 1, number: other })
  const found = async () =>
    (await product.client.of(events).list({ filter: { reason: 'credential_unknown' } })).items.find(
      ({ data }) => data.number === other,
    )
  await expect.poll(found).toBeDefined()
  await enterConsole(page, { url: product.url, path: `/main/events/list?event=${(await found())?._id}` })
  const section = page.getByRole('region', { name: 'This card may be' })
  await expect(section.getByRole('listitem')).toContainText(['118 / 1604'])
  await section.getByRole('button', { name: 'Assign to a user' }).click()
  const dialog = page.getByRole('dialog', { name: /Assign card/ })
  await dialog.getByRole('combobox', { name: 'User' }).click()
  await page.getByRole('option', { name: place.person.name }).click()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await expect(dialog).toHaveCount(0)
  await expect
    .poll(() => product.controllers.control.present(serial, { door: 1, number: other }))
    .toEqual({ verdict: 'grant', reason: null })
})
