import { expect, type Page, test } from '@playwright/test'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { interlockingGroups } from '@portcullis/contract/collections/interlocking-groups'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { units } from '@portcullis/contract/collections/units'
import { users } from '@portcullis/contract/collections/users'
import { openWithControllers, type ProductWithControllers } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { isInStep, makeSmallSite } from '../small-site.ts'
import { violationsOf } from '../sound.ts'

let product: ProductWithControllers

test.beforeAll(async () => {
  product = await openWithControllers()
})
test.afterAll(() => product.stop())

type Place = Awaited<ReturnType<typeof makeSmallSite>>

test('§7 units: a heartbeat is requested, and the answer is shown', async ({ page }) => {
  const { unit } = await openSite('H-1')
  await enterConsole(page, { url: product.url, path: `/main/units/list?open=${unit._id}` })
  const about = page.getByRole('region', { name: 'About this controller' })
  await about.getByRole('button', { name: 'Request heartbeat' }).click()
  await expect(about.getByRole('status')).toHaveText(/^Answered after \d+ ms\.$/)
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
})

test('PIN: a door asks for it after the card, and a duress PIN raises an alarm on the dashboard', async ({ page }) => {
  const place = await openSite('P-1')
  const { door, person, site } = place
  await enterConsole(page, { url: product.url, path: `/main/users/list?open=${person._id}` })
  await addPin(page, { pin: '24681357' })
  await addPin(page, { pin: '24681358', isDuress: true })
  await expect(page.getByRole('dialog').getByText('••••')).toHaveCount(2)

  await page.goto(`${product.url}/main/sites/${site._id}?open=${door._id}`)
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Requires a PIN').click({ force: true })
  await saveAndApply(page, place)

  expect(await present(place)).toEqual({ verdict: 'deny', reason: 'pin_required' })
  expect(await present(place, { pin: '11111111' })).toEqual({ verdict: 'deny', reason: 'pin_invalid' })
  expect(await present(place, { pin: '24681357' })).toEqual({ verdict: 'grant', reason: null })
  expect(await present(place, { pin: '24681358' })).toEqual({ verdict: 'grant', reason: null })

  await page.goto(`${product.url}/main/events/list`)
  await expect(rowOf(page, 'Wrong PIN')).toHaveCount(1)
  await expect(rowOf(page, 'PIN required')).toHaveCount(1)
  await expect(rowOf(page, 'Duress PIN')).toHaveCount(1)
  await rowOf(page, 'Wrong PIN').click()
  await expect(why(page)).toContainText('The PIN was wrong')
  await page.goto(`${product.url}/main/dashboard`)
  const alarms = page.getByRole('region', { name: 'Alarms' })
  await expect(alarms).toContainText('Duress PIN')
  await expect(alarms).toContainText(person.name)
})

test('anti-passback: a second entry is denied until the user is forgiven', async ({ page }) => {
  const place = await openSite('A-1')
  const { door, person } = place
  const group = await product.client.of(doorGroups).create({ name: 'Vault', members: [door._id] })
  await enterConsole(page, { url: product.url, path: `/main/sites/doorGroups?open=${group._id}` })
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('combobox', { name: 'Anti-passback' }).click()
  await page.getByRole('option', { name: 'Hard: deny' }).click()
  await expect(drawer).toContainText('A user who has entered must leave before entering again.')
  await saveAndApply(page, place)

  expect(await present(place)).toEqual({ verdict: 'grant', reason: null })
  await opened(place)
  expect(await present(place)).toEqual({ verdict: 'deny', reason: 'antipassback' })
  await page.goto(`${product.url}/main/events/list`)
  await rowOf(page, 'Anti-passback').click()
  await expect(why(page)).toContainText('Anti-passback: already on that side')

  await page.goto(`${product.url}/main/sites/doorGroups?open=${group._id}`)
  const forgive = page.getByRole('region', { name: 'Forgive' })
  await forgive.getByLabel('User').fill(person.name)
  await page.getByRole('option', { name: person.name }).click()
  await forgive.getByRole('button', { name: 'Forgive user' }).click()
  await expect(page.getByText('The user may pass once the controllers have the new configuration.')).toBeVisible()
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
  await expect.poll(() => present(place)).toEqual({ verdict: 'grant', reason: null })
})

test('interlock: a door stays closed while another door of it is open', async ({ page }) => {
  const place = await openSite('I-1')
  const { door, site, unit, serial } = place
  const inner = await product.client
    .of(doors)
    .create({ name: 'Inner door', site: site._id, unit: unit._id, unitDoor: 2 })
  await enterConsole(page, { url: product.url, path: '/main/sites/interlocks' })
  await page.getByRole('button', { name: 'Add interlock' }).first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Name').fill('Airlock')
  for (const name of [door.name, inner.name]) {
    await drawer.getByLabel('Doors').fill(name)
    await page.getByRole('option', { name: new RegExp(name) }).click()
  }
  await saveAndApply(page, place)
  expect((await product.client.of(interlockingGroups).list({})).items).toMatchObject([{ name: 'Airlock' }])

  await product.controllers.control.operateDoor(serial, { door: 2, what: 'held' })
  expect(await present(place)).toEqual({ verdict: 'deny', reason: 'interlock' })
  await page.goto(`${product.url}/main/events/list`)
  await rowOf(page, 'Interlock').click()
  await expect(why(page)).toContainText('interlock with Inner door')
  await product.controllers.control.operateDoor(serial, { door: 2, what: 'closed' })
  expect(await present(place)).toEqual({ verdict: 'grant', reason: null })
})

test('interlock: a door stays closed while a door of another controller is open', async ({ page }) => {
  const [outer, inner] = [await openSite('I-2'), await openSite('I-3')]
  await enterConsole(page, { url: product.url, path: '/main/sites/interlocks' })
  await page.getByRole('button', { name: 'Add interlock' }).first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Name').fill('Gate and lobby')
  for (const { door } of [outer, inner]) {
    await drawer.getByLabel('Doors').fill(door.name)
    await page.getByRole('option', { name: new RegExp(door.name) }).click()
  }
  await expect(drawer).toContainText('If they are wired to several controllers')
  await saveAndApply(page, outer)
  await product.controllers.control.operateDoor(outer.serial, { door: 1, what: 'held' })
  await expect.poll(() => present(inner)).toEqual({ verdict: 'deny', reason: 'interlock' })
  await page.goto(`${product.url}/main/events/list`)
  await rowOf(page, 'Interlock').filter({ hasText: inner.door.name }).click()
  await expect(why(page)).toContainText(`interlock with ${outer.door.name}`)
  await product.controllers.control.operateDoor(outer.serial, { door: 1, what: 'closed' })
  await expect.poll(() => present(inner)).toEqual({ verdict: 'grant', reason: null })
})

test('first person in: other users enter once a member of the group has', async ({ page }) => {
  const place = await openSite('F-1')
  const { door, site, person } = place
  const managers = await product.client.of(userGroups).create({ name: 'Shift managers' })
  await enterConsole(page, { url: product.url, path: `/main/sites/${site._id}?open=${door._id}` })
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('First person in').fill('Shift managers')
  await page.getByRole('option', { name: 'Shift managers' }).click()
  await saveAndApply(page, place)
  expect(await present(place)).toEqual({ verdict: 'deny', reason: 'first_person_absent' })
  await page.goto(`${product.url}/main/events/list`)
  await rowOf(page, 'First person absent').click()
  await expect(why(page)).toContainText('first person from Shift managers')
  await product.client.of(users).patch(person._id, { groups: [managers._id] })
  await expect.poll(() => present(place)).toEqual({ verdict: 'grant', reason: null })
})

function openSite(serial: string) {
  return makeSmallSite({ ...product, control: product.controllers.control, serial })
}

function present({ serial, number }: Place, shown: { pin?: string } = {}) {
  return product.controllers.control.present(serial, { door: 1, number, ...shown })
}

/** Saves the open form and waits until the controller has applied the change. */
async function saveAndApply(page: Page, { unit }: Place) {
  const { appliedVersion: before } = await product.client.of(units).get(unit._id)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect
    .poll(async () => (await product.client.of(units).get(unit._id)).appliedVersion)
    .toBeGreaterThan(before ?? 0)
  await expect.poll(() => isInStep(product.client, unit._id)).toBe(true)
}

async function addPin(page: Page, { pin, isDuress = false }: { pin: string; isDuress?: boolean }) {
  await page.getByRole('button', { name: 'Add credential' }).click()
  const form = page.getByRole('dialog', { name: 'Add credential' })
  await form.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'PIN' }).click()
  await form.getByLabel('Number').fill(pin)
  if (isDuress) await form.getByLabel('Duress PIN').click({ force: true })
  await form.getByRole('button', { name: 'Add' }).click()
  await expect(form).toBeHidden()
}

/** Waits until the user who was granted access has walked through the door. */
async function opened({ serial }: Place) {
  const position = async () => (await product.controllers.control.get(serial)).running?.doors[0]?.position
  await expect.poll(position).toBe('open')
  await expect.poll(position).toBe('closed')
}

function rowOf(page: Page, reason: string) {
  return page.getByRole('row').filter({ hasText: reason })
}

function why(page: Page) {
  return page.getByRole('complementary').or(page.getByRole('dialog'))
}
