import { expect, test } from '@playwright/test'
import { rules } from '@portcullis/contract/collections/rules'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { openWithControllers, type ProductWithControllers } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { makeSmallSite } from '../small-site.ts'
import { violationsOf } from '../sound.ts'

let product: ProductWithControllers

test.beforeAll(async () => {
  product = await openWithControllers()
})
test.afterAll(() => product.stop())

test('§7 batchUpdate: access given in the matrix is previewed, saved in one step, decides at the door, and is undone', async ({
  page,
}) => {
  const { client, url } = product
  const { control } = product.controllers
  const { rule, person, door, number } = await makeSmallSite({ client, control, serial: 'M-1' })
  await client.of(rules).remove(rule._id)
  const group = await client.of(userGroups).create({ name: 'Night shift', members: [person._id] })
  const present = async () => (await control.present('M-1', { door: 1, number })).verdict
  await expect.poll(present).toBe('deny')

  await enterConsole(page, { url, path: '/main/rules/matrix' })
  const cell = page.getByRole('gridcell', { name: `${group.name}, ${door.name}` })
  await expect(cell).toHaveAccessibleName(/No access/)
  await cell.click()
  await page.keyboard.press('a')
  await expect(cell).toHaveAccessibleName(/Always, changed/)
  await page.getByRole('button', { name: 'Show who gains and loses access' }).click()
  await expect(page.getByRole('status', { name: 'Effects of this change' })).toContainText(person.name)
  expect(await present()).toBe('deny')
  expect(await violationsOf(page)).toEqual([])

  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(page.getByText('1 change saved')).toBeVisible()
  await expect(cell).toHaveAccessibleName(/Always$/)
  await expect.poll(present).toBe('grant')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cell).toHaveAccessibleName(/No access/)
  await expect.poll(present).toBe('deny')
})
