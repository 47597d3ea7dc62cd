import { readFile } from 'node:fs/promises'
import { contacts } from '@portcullis/contract/collections/contacts'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doors } from '@portcullis/contract/collections/doors'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { users } from '@portcullis/contract/collections/users'
import { expect, type Page, test } from '@playwright/test'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { violationsOf } from '../sound.ts'

let product: Product
let place: Awaited<ReturnType<typeof makeDepot>>

test.beforeAll(async () => {
  product = await openProduct()
  place = await makeDepot()
})
test.afterAll(() => product.stop())

test('§4 explorer: whether a card opens a door at a time, and the change that would allow it', async ({ page }) => {
  await enterConsole(page, { url: product.url })
  const answer = page.getByRole('article')

  await test.step('a user and a door are selected, and the answer appears', async () => {
    await page.getByRole('link', { name: 'Manage Access' }).click()
    await page.getByRole('link', { name: 'Explorer' }).click()
    await choose(page, { label: 'User', name: 'Nomsa Dlamini' })
    await choose(page, { label: 'Door', name: 'Main gate' })
    await fillMoment(page, 'When', { date: '6/2/2027', time: '12:00' })
    await expect(answer.getByRole('heading', { name: /^Outside schedule/ })).toBeVisible()
    await expect(answer).toContainText('Would stay closed')
    await expect(answer).toContainText('Nomsa Dlamini with card 0412-1 at Main gate, Depot (in) on Sat 6 Feb at 12:00.')
  })

  await test.step('the answer shows each check and the days ahead', async () => {
    const checks = answer.getByRole('list', { name: 'Check by check' })
    await expect(checks).toContainText('Rule Day staff includes this door')
    await expect(checks).toContainText('Schedule Day shift is closed then')
    await expect(checks).toContainText('next open Mon 06:00')
    await expect(answer.getByRole('listitem').filter({ hasText: 'Mon 8 Feb' })).toContainText('06:00 to 18:00')
    await expect(answer.getByRole('listitem').filter({ hasText: 'Sun 7 Feb' })).toContainText('closed')
  })

  await test.step('the URL contains the question: a reload shows the same answer', async () => {
    await page.goto(page.url())
    await expect(answer.getByRole('heading', { name: /^Outside schedule/ })).toBeVisible()
    await fillMoment(page, 'When', { date: '8/2/2027', time: '12:00' })
    await expect(answer).toContainText('Would open')
    await expect(answer.getByRole('heading', { name: 'Granted by Day staff' })).toBeVisible()
  })

  await test.step('an unassigned number is unknown, and the answer links to the schedule', async () => {
    await page.getByText('Number', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Number' }).fill('77-77')
    await expect(answer.getByRole('heading', { name: 'Unknown credential' })).toBeVisible()
    await page.goto(`${product.url}/main/rules/explorer?user=${place.nomsa}&door=${place.door}&at=2027-02-06T12:00`)
    await answer.getByRole('link', { name: 'Open the schedule' }).click()
    await expect(page.getByRole('dialog')).toHaveAccessibleName('Day shift')
  })
})

test('§4 explorer: the users who can open a door, and the doors that a user can open', async ({ page }) => {
  await enterConsole(page, { url: product.url })

  await test.step('in the drawer of the door: users, with search and export', async () => {
    await page.goto(`${product.url}/main/sites/${place.site}?open=${place.door}`)
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Who can open this door' }).click()
    await expect(drawer).toContainText('2 users can open Main gate')
    await expect(drawer).toContainText('1 more denied despite a rule')
    await drawer.getByRole('searchbox', { name: 'Search these users' }).fill('thabo')
    await expect(drawer.getByRole('row')).toHaveCount(2)
    await drawer.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ])
    const file = await readFile(await download.path(), 'utf8')
    expect(file.trim().split('\r\n')).toHaveLength(2)
    expect(file).toContain('Thabo Nkosi,now')
    await drawer.getByRole('link', { name: 'Open as a page' }).click()
    await expect(page.getByRole('main')).toContainText('2 users can open Main gate')
    await page.getByText('Denied 1', { exact: true }).click()
    await expect(page.getByRole('row').nth(1)).toContainText('Lena Vogt')
    await expect(page.getByRole('row').nth(1)).toContainText('User suspended')
  })

  await test.step('in the drawer of a user: doors', async () => {
    await page.goto(`${product.url}/main/users/list?open=${place.nomsa}`)
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'What this user can open' }).click()
    await expect(drawer).toContainText('Nomsa Dlamini can open 1 door')
    await expect(drawer.getByRole('row').nth(1)).toContainText('Main gate')
  })
})

test('§4 rules: before another schedule is saved, its effects name the users who lose access, and when', async ({
  page,
}) => {
  const windows = [{ days: [1, 2, 3, 4, 5], start: '06:00', end: '12:00' }]
  const mornings = await product.client.of(schedules).create({ name: 'Mornings', windows })
  await enterConsole(page, { url: product.url, path: `/main/rules/list?open=${place.rule}` })
  const drawer = page.getByRole('dialog', { name: 'Day staff' })
  const show = drawer.getByRole('button', { name: 'Show who gains and loses access' })
  await expect(drawer.getByRole('button', { name: 'Save' })).toBeVisible()
  await expect(show).toHaveCount(0)

  const when = drawer.getByRole('combobox', { name: 'When' })
  await when.click()
  await when.fill('Mornings')
  await page.getByRole('option', { name: 'Mornings' }).click()
  await show.click()
  const effects = drawer.getByRole('status', { name: 'Effects of this change' })
  // Lena Vogt is suspended, and loses nothing.
  await expect(effects).toContainText('1 cardholder loses access at 1 door')
  await expect(effects).toContainText('Nomsa Dlamini')
  await expect(effects).toContainText(/Mon,? \d.* – Fri,? \d.*, 12:00–18:00/)
  await expect(effects).not.toContainText('Lena Vogt')
  await expect(effects).not.toContainText('gain')
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
  expect((await product.client.of(rules).get(place.rule)).schedule).not.toBe(mornings._id)

  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).toHaveCount(0)
  expect((await product.client.of(rules).get(place.rule)).schedule).toBe(mornings._id)
})

test('§4 bulk: before many rules are disabled, the effects of all of them together are shown', async ({ page }) => {
  const { who, where } = await product.client.of(rules).get(place.rule)
  await product.client.of(rules).create({ name: 'Day staff, too', effect: 'allow', who, where })
  await enterConsole(page, { url: product.url, path: '/main/rules/list?search=Day staff' })
  for (const name of ['Day staff', 'Day staff, too'])
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Disable' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Show who gains and loses access' }).click()
  const effects = dialog.getByRole('status', { name: 'Effects of this change' })
  await expect(effects).toContainText('1 cardholder loses access at 1 door')
  await expect(effects).toContainText('Nomsa Dlamini')
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await product.client.of(rules).get(place.rule)).enabled).toBe(true)
})

test('§2 contacts: one is added, changed and deleted', async ({ page }) => {
  await enterConsole(page, { url: product.url })
  await page.getByRole('link', { name: 'Contacts' }).click()
  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add contact' }).first().click()
  await form.getByLabel('Name').fill('Night watch')
  await form.getByLabel('Phone').fill('call me')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toContainText('Use only digits, spaces')
  await form.getByLabel('Phone').fill('+27 21 555 0100')
  await form.getByLabel('Door alarms').check()
  await form.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Night watch' })
  await expect(row).toContainText('Door alarms')
  await expect(row.getByRole('link', { name: /555 0100/ })).toHaveAttribute('href', 'tel:+27215550100')
  await row.getByRole('button').first().click()
  await form.getByLabel('Email').fill('watch@example.com')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('watch@example.com')
  await row.getByRole('button').first().click()
  await form.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete Night watch?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)
  expect((await product.client.of(contacts).list()).items).toEqual([])
})

test('§1 audit log: a change appears live with its old and new values, and can be undone', async ({ page }) => {
  await enterConsole(page, { url: product.url, path: '/main/auditLogs/list' })
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await product.client.of(doors).patch(place.door, { relockAfterSeconds: 9 })
  const row = page.getByRole('row').filter({ hasText: 'Relock after' })
  await expect(row).toContainText('Main gate')
  await row.getByRole('button').first().click()

  const entry = page.getByRole('dialog').first()
  const change = entry.getByRole('row').filter({ hasText: 'Relock after' })
  await expect(change.getByRole('cell')).toHaveText(['5 s', '9 s'])
  await entry.getByRole('button', { name: 'Undo this change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo this change?' })
  await dialog.getByRole('button', { name: 'Undo this change' }).click()
  await expect(dialog).toContainText('Undone.')
  expect((await product.client.of(doors).get(place.door)).relockAfterSeconds).toBe(5)

  await test.step('after a later change it is refused, with the reason in the dialog', async () => {
    await dialog.getByRole('button', { name: 'Close' }).click()
    await product.client.of(doors).patch(place.door, { relockAfterSeconds: 7 })
    await entry.getByRole('button', { name: 'Undo this change' }).click()
    await dialog.getByRole('button', { name: 'Undo this change' }).click()
    await expect(dialog.getByRole('alert')).not.toBeEmpty()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('the entry links to all changes of the item', async () => {
    await entry.getByRole('link', { name: 'All changes of this item' }).click()
    await expect(page.getByText('Changes of one door')).toBeVisible()
    await page.getByRole('button', { name: 'Show all changes' }).click()
    await expect(page).not.toHaveURL(/item=/)
  })
})

/** A depot with one gate: a rule admits two users by day, one of them suspended, and another rule a third at any time. */
async function makeDepot() {
  const { client } = product
  const site = await client.of(sites).create({ name: 'Depot', timeZone: 'Africa/Johannesburg' })
  const unit = await client.of(units).create({ name: 'Gatehouse', serial: 'VC-1', site: site._id })
  const door = await client.of(doors).create({ name: 'Main gate', site: site._id, unit: unit._id, unitDoor: 1 })
  const windows = [{ days: [1, 2, 3, 4, 5], start: '06:00', end: '18:00' }]
  const schedule = await client.of(schedules).create({ name: 'Day shift', windows })
  const nomsa = await client.of(users).create({ name: 'Nomsa Dlamini' })
  const thabo = await client.of(users).create({ name: 'Thabo Nkosi' })
  const lena = await client.of(users).create({ name: 'Lena Vogt', status: 'suspended' })
  for (const [index, { _id }] of [nomsa, thabo, lena].entries()) {
    await client.of(credentials).create({ kind: 'card', number: `0412-${index + 1}`, user: _id })
  }
  const where = [{ kind: 'Door' as const, id: door._id }]
  const who = [nomsa, lena].map(({ _id }) => ({ kind: 'User' as const, id: _id }))
  const day = { name: 'Day staff', effect: 'allow', who, where, schedule: schedule._id } as const
  const rule = await client.of(rules).create(day)
  const always = [{ kind: 'User' as const, id: thabo._id }]
  await client.of(rules).create({ name: 'Caretaker', effect: 'allow', who: always, where })
  return { site: site._id, door: door._id, nomsa: nomsa._id, rule: rule._id }
}

async function choose(page: Page, { label, name }: { label: string; name: string }) {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('combobox', { name: label }).fill(name)
  await page.getByRole('option', { name }).click()
}

type Moment = { date: string; time: string }

async function fillMoment(page: Page, label: string, { date, time }: Moment) {
  const field = page.getByRole('group', { name: label })
  await field.getByLabel('Date').fill(date)
  await field.getByRole('combobox', { name: 'Time' }).fill(time)
}
