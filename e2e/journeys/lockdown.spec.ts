import { credentials } from '@portcullis/contract/collections/credentials'
import { events } from '@portcullis/contract/collections/events'
import { lockdownPlans } from '@portcullis/contract/collections/lockdown-plans'
import { rules } from '@portcullis/contract/collections/rules'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { units } from '@portcullis/contract/collections/units'
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

test('§6 lockdown: two presses lock down a plan, also at a controller that comes back later, until it is ended', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const { control } = product.controllers
  const near = await makeSmallSite({ ...product, control, serial: 'L-1' })
  const far = await makeSmallSite({ ...product, control, serial: 'L-2' })
  const present = async ({ serial, number }: typeof near) =>
    (await control.present(serial, { door: 1, number })).verdict
  await enterConsole(page, { url: product.url, path: '/main/rules/lockdownPlans' })

  await page.getByRole('button', { name: 'Add lockdown plan' }).first().click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByLabel('Name')).toBeVisible()
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
  await drawer.getByLabel('Name').fill('Harbour lockdown')
  for (const { site } of [near, far]) {
    await drawer.getByPlaceholder('add…').first().fill(site.name)
    await page.getByRole('option', { name: site.name }).click()
  }
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /Harbour lockdown/ })).toContainText('Harbour L-1')
  expect(await violationsOf(page)).toEqual([])

  await control.setFaults(far.serial, { offline: true })
  await expect.poll(async () => (await product.client.of(units).get(far.unit._id)).status).toBe('offline')
  await page.getByRole('button', { name: 'Lock down…' }).click()
  await expect(page.getByRole('button', { name: 'Lock down now: Harbour lockdown' })).toBeVisible()
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
  await page.getByRole('button', { name: 'Lock down now: Harbour lockdown' }).click()
  const banner = page.getByRole('region', { name: 'Active lockdowns' })
  await expect(banner).toContainText('Lockdown: Harbour lockdown')
  await expect(banner).toContainText('1 of 2 doors confirmed, 1 unreachable')
  expect([await present(near), await present(far)]).toEqual(['deny', 'grant'])

  await banner.getByRole('link', { name: 'Show doors' }).click()
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  await expect(row(far.door.name)).toContainText('Unreachable')
  await expect(row(near.door.name)).toContainText('Confirmed')
  expect(await violationsOf(page)).toEqual([])
  await control.setFaults(far.serial, { offline: false })
  await expect(banner).toContainText('2 of 2 doors confirmed')
  await expect(row(far.door.name)).toContainText('Confirmed')
  expect(await present(far)).toBe('deny')

  await banner.getByRole('button', { name: 'End lockdown' }).click()
  await page.getByRole('dialog', { name: 'End the lockdown' }).getByRole('button', { name: 'End lockdown' }).click()
  await expect(banner).toBeHidden()
  await expect(page.getByRole('main')).toContainText('The lockdown Harbour lockdown has ended.')
  await expect.poll(async () => [await present(near), await present(far)]).toEqual(['grant', 'grant'])
})

test('§6 lockdown: a guard whom the plan lets pass opens the door, another user does not', async ({ page }) => {
  test.setTimeout(120_000)
  const { control } = product.controllers
  const { client } = product
  const { site, unit, door, person, number, rule, serial } = await makeSmallSite({ ...product, control, serial: 'L-3' })
  const guard = await client.of(users).create({ name: 'Thandi Guard' })
  await client.of(credentials).create({ kind: 'card', number: '0412-GUARD', user: guard._id })
  const group = await client.of(userGroups).create({ name: 'Security L-3', members: [guard._id] })
  await client.of(rules).patch(rule._id, {
    who: [guard, person].map(({ _id: id }) => ({ kind: 'User' as const, id })),
  })
  await enterConsole(page, { url: product.url, path: '/main/rules/lockdownPlans' })
  await page.getByRole('button', { name: 'Add lockdown plan' }).first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Name').fill('Attack')
  await drawer.getByPlaceholder('add…').first().fill(site.name)
  await page.getByRole('option', { name: site.name }).click()
  await drawer.getByPlaceholder('add…').nth(1).fill(group.name)
  await page.getByRole('option', { name: group.name }).click()
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /Attack/ })).toContainText(group.name)
  const verdict = async (card: string) => (await control.present(serial, { door: 1, number: card })).verdict
  await expect.poll(() => isInStep(client, unit._id)).toBe(true)
  await expect.poll(() => verdict('0412-GUARD')).toBe('grant')

  await page.getByRole('button', { name: 'Lock down…' }).click()
  await expect(page.getByRole('dialog')).toContainText('Members of Security L-3 still pass')
  await page.getByRole('button', { name: 'Lock down now: Attack' }).click()
  const banner = page.getByRole('region', { name: 'Active lockdowns' })
  await expect(banner).toContainText('1 of 1 door confirmed')
  expect([await verdict('0412-GUARD'), await verdict(number)]).toEqual(['grant', 'deny'])
  await banner.getByRole('link', { name: 'Show doors' }).click()
  await expect(page.getByRole('main')).toContainText('Members of Security L-3 still pass')
  const granted = async () => {
    const { items } = await client.of(events).list({ filter: { door: door._id, user: guard._id } })
    return items[0]?.reasons.find(({ step }) => step === 'mode')
  }
  await expect.poll(granted).toMatchObject({ outcome: 'passed', facts: { mode: 'lockdown' } })
  await client.of(userGroups).patch(group._id, { members: [] })
  await expect.poll(() => verdict('0412-GUARD')).toBe('deny')

  await banner.getByRole('button', { name: 'End lockdown' }).click()
  await page.getByRole('dialog', { name: 'End the lockdown' }).getByRole('button', { name: 'End lockdown' }).click()
  await expect.poll(async () => [await verdict('0412-GUARD'), await verdict(number)]).toEqual(['grant', 'grant'])
})

test('§6 lockdown: a lockdown card at a door starts the plan, in the name of its user', async ({ page }) => {
  test.setTimeout(120_000)
  const { control } = product.controllers
  const { client } = product
  const { site, door, number, serial } = await makeSmallSite({ ...product, control, serial: 'L-4' })
  const caretaker = await client.of(users).create({ name: 'Sipho Caretaker' })
  await client.of(credentials).create({ kind: 'card', number: '0412-RED', user: caretaker._id })
  const group = await client.of(userGroups).create({ name: 'Red cards', members: [caretaker._id] })
  await client.of(lockdownPlans).create({
    name: 'Red card',
    places: [{ kind: 'Site', id: site._id }],
    cardGroups: [{ kind: 'User Group', id: group._id }],
    cardDoors: [{ kind: 'Door', id: door._id }],
  })
  await enterConsole(page, { url: product.url, path: '/main/events' })
  const present = async (card: string) => (await control.present(serial, { door: 1, number: card })).verdict
  const banner = page.getByRole('region', { name: 'Active lockdowns' })
  expect(await present(number)).toBe('grant')
  expect(await present('0412-RED')).toBe('deny')
  await expect(banner).toContainText('Lockdown: Red card')
  await expect(banner).toContainText('Started by Sipho Caretaker')
  await expect(banner).toContainText('1 of 1 door confirmed')
  expect(await present(number)).toBe('deny')
  await banner.getByRole('button', { name: 'End lockdown' }).click()
  await page.getByRole('dialog', { name: 'End the lockdown' }).getByRole('button', { name: 'End lockdown' }).click()
  await expect.poll(() => present(number)).toBe('grant')
})
