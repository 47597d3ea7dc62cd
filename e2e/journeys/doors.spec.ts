import { expect, test } from '@playwright/test'
import { openWithControllers, type ProductWithControllers } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { makeSmallSite } from '../small-site.ts'
import { violationsOf } from '../sound.ts'

let product: ProductWithControllers

test.beforeAll(async () => {
  product = await openWithControllers()
})
test.afterAll(() => product.stop())

test('§4 doors: a door is held unlocked, locked down and returned to schedule, as its controller confirms', async ({
  page,
}) => {
  const { control } = product.controllers
  const { site, door, serial, number } = await makeSmallSite({ ...product, control, serial: 'D-1' })
  const lock = async () => (await control.get(serial)).running?.doors[0]?.lock
  await enterConsole(page, { url: product.url, path: `/main/sites/${site._id}` })
  const row = page.getByRole('row', { name: new RegExp(door.name) })
  const more = row.getByRole('button', { name: `More commands for ${door.name}` })

  await more.click()
  await page.getByRole('menuitem', { name: 'Hold unlocked until…' }).click()
  const hold = page.getByRole('dialog', { name: `Hold ${door.name} unlocked` })
  await expect(hold).toContainText('The door stays unlocked: anyone can enter without a card until this time')
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
  await hold.getByRole('button', { name: 'Hold unlocked' }).click()
  await expect(row).toContainText(/Held unlocked.*until.*confirmed \d/)
  await expect.poll(lock).toBe('unlocked')

  await more.click()
  await page.getByRole('menuitem', { name: 'Lock down…' }).click()
  await page
    .getByRole('dialog', { name: `Lock down ${door.name}?` })
    .getByRole('button', { name: 'Lock down' })
    .click()
  await expect(row).toContainText(/Locked down.*confirmed \d/)
  expect(await control.present(serial, { door: 1, number })).toMatchObject({
    verdict: 'deny',
    reason: 'door_locked_down',
  })
  await expect.poll(lock).toBe('locked')

  await more.click()
  await page.getByRole('menuitem', { name: 'Return to schedule' }).click()
  await expect(row).not.toContainText('Locked down')
  await expect(row).not.toContainText('Return to schedule')
  expect(await control.present(serial, { door: 1, number })).toMatchObject({ verdict: 'grant' })
})
