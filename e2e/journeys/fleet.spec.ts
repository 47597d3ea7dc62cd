import { accounts } from '@portcullis/contract/collections/accounts'
import { units } from '@portcullis/contract/collections/units'
import { expect, type Page, test } from '@playwright/test'
import { openWithControllers, type ProductWithControllers } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { isInStep, makeSmallSite } from '../small-site.ts'
import { violationsOf } from '../sound.ts'

let product: ProductWithControllers

test.beforeAll(async () => {
  product = await openWithControllers()
})
test.afterAll(() => product.stop())

test('a new controller takes the place of a broken one and opens the same door', async ({ page }) => {
  const { client } = product
  const { control } = product.controllers
  const { unit, number } = await makeSmallSite({ client, control, serial: 'OLD-1' })
  await enterConsole(page, { url: product.url, path: `/main/units/list?open=${unit._id}` })
  await page.getByRole('button', { name: 'Replace…' }).click()
  const question = page.getByRole('dialog', { name: `Replace ${unit.name} with a new controller?` })
  await question.getByLabel('Serial number of the new controller').fill('OLD-1 B')
  await question.getByRole('button', { name: 'Replace controller' }).click()
  await expect(question).toContainText('Use only letters, digits')
  await question.getByLabel('Serial number of the new controller').fill('NEW-1')
  await question.getByRole('button', { name: 'Replace controller' }).click()

  const enrolment = page.getByRole('dialog', { name: `Enrol ${unit.name}` })
  const code = await enrolment.locator('code').innerText()
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
  await control.add({ serial: 'NEW-1', code })
  await expect(enrolment.getByRole('list', { name: 'Enrolment progress' })).toBeVisible()
  await expect.poll(() => isInStep(client, unit._id)).toBe(true)
  await enrolment.getByRole('button', { name: 'Done' }).click()
  expect(await control.present('NEW-1', { door: 1, number })).toMatchObject({ verdict: 'grant' })
  expect((await client.of(units).get(unit._id)).serial).toBe('NEW-1')
})

test('§7 moveUnits: what moves along is shown first, then the controller is in the new account', async ({ page }) => {
  const { client } = product
  const { control } = product.controllers
  await client.of(accounts).create({ ref: 'bakery', name: 'Bakery' })
  const { unit, door, number } = await makeSmallSite({ client, control, serial: 'MOVE-1' })
  await enterConsole(page, { url: product.url, path: '/main/units/list' })
  await rowOf(page, unit.name).getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Move to another account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move this controller to another account?' })
  await dialog.getByRole('combobox', { name: 'New account' }).fill('Bakery')
  await page.getByRole('option', { name: 'Bakery' }).click()
  for (const words of ['1 door moves along', door.name, '1 site moves along']) await expect(dialog).toContainText(words)
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
  await dialog.getByRole('button', { name: 'Move controller' }).click()
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('Moved 1 controller')).toBeVisible()
  await expect(rowOf(page, unit.name)).toBeHidden()

  await page.goto(`${product.url}/bakery/units/list`)
  await expect(rowOf(page, unit.name)).toBeVisible()
  // The rule belongs to the account above, so it still applies.
  expect(await control.present('MOVE-1', { door: 1, number })).toMatchObject({ verdict: 'grant' })
})

test('§7 moveSite: what moves along is shown first, then the site is in the new account', async ({ page }) => {
  const { client } = product
  const { control } = product.controllers
  await client.of(accounts).create({ ref: 'brewery', name: 'Brewery' })
  const { site, door, number } = await makeSmallSite({ client, control, serial: 'MOVE-2' })
  await enterConsole(page, { url: product.url, path: `/main/sites/${site._id}` })
  await page.getByRole('button', { name: 'Move to another account…' }).click()
  const dialog = page.getByRole('dialog', { name: `Move ${site.name} to another account?` })
  await dialog.getByRole('combobox', { name: 'New account' }).fill('Brewery')
  await page.getByRole('option', { name: 'Brewery' }).click()
  for (const words of ['1 controller moves along', '1 door moves along', door.name])
    await expect(dialog).toContainText(words)
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
  await dialog.getByRole('button', { name: 'Move site' }).click()
  await expect(page.getByRole('region', { name: 'Messages' }).getByText(`Moved ${site.name}`)).toBeVisible()
  await expect(page).toHaveURL(/\/main\/sites/)
  await expect(rowOf(page, site.name)).toBeHidden()

  await page.goto(`${product.url}/brewery/sites/list`)
  await expect(rowOf(page, site.name)).toBeVisible()
  // The rule belongs to the account above, so it still applies.
  expect(await control.present('MOVE-2', { door: 1, number })).toMatchObject({ verdict: 'grant' })
})

test('§2 the site list follows its doors and controllers, and shows nothing as normal that is not known', async ({
  page,
}) => {
  const { client } = product
  const { control } = product.controllers
  const { site, door } = await makeSmallSite({ client, control, serial: 'LIVE-1' })
  await enterConsole(page, { url: product.url, path: '/main/sites/list' })
  const row = rowOf(page, site.name)
  await expect(row).toContainText('Online and in sync')
  await client.setDoorMode(door._id, { mode: 'lockdown' })
  await expect(row).toContainText('Locked down: 1')
  await control.stop('LIVE-1')
  await expect(row).toContainText('Offline: 1')
  await expect(row).toContainText('Unknown: 1')
  await expect(row).not.toContainText('Locked down')
  expect(await violationsOf(page)).toEqual([])
})

function rowOf(page: Page, name: string) {
  return page.getByRole('row', { name: new RegExp(name) })
}
