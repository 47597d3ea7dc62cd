import { expect, test } from '@playwright/test'
import { openTestMailbox, type TestMailbox } from '../../apps/server/src/mail/test-mailbox.ts'
import { addPerson } from '../people.ts'
import { openProduct, type Product } from '../open-product.ts'
import { startControllers } from '../product.ts'
import { enterConsole } from '../sign-in.ts'
import { makeSmallSite } from '../small-site.ts'

let product: Product
let mailbox: TestMailbox
let controllers: Awaited<ReturnType<typeof startControllers>>

test.beforeAll(async () => {
  mailbox = await openTestMailbox()
  product = await openProduct('empty', { smtpUrl: mailbox.url })
  controllers = await startControllers(product)
})
test.afterAll(async () => {
  await controllers.stop()
  await product.stop()
  await mailbox.close()
})

test('§2 dashboard: a door that is forced and a controller that falls silent are told there, and lead to themselves', async ({
  page,
}) => {
  const { control } = controllers
  const { site, door, unit, serial } = await makeSmallSite({ ...product, control, serial: 'DB-1' })
  await enterConsole(page, { url: product.url })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/main\/dashboard$/)
  await expect(page).toHaveTitle('Dashboard - Portcullis')
  const doors = page.getByRole('region', { name: 'Doors now' })
  await expect(doors).toContainText('Every door is as it should be.')
  const units = page.getByRole('region', { name: 'Controllers' })
  await expect(units).toContainText('Every controller is online and in step.')

  await control.present(serial, { door: 1, number: 'nobody-has-it' })
  const alarms = page.getByRole('region', { name: 'Alarms and refusals, last 24 hours' })
  await expect(alarms.getByRole('link').filter({ hasText: 'Unknown credential' })).toContainText(door.name)
  await control.operateDoor(serial, { door: 1, what: 'forced' })
  const forced = doors.getByRole('link').filter({ hasText: door.name })
  await expect(forced).toContainText(/Forced.*since/)

  await control.setFaults(serial, { offline: true })
  const silent = units.getByRole('link').filter({ hasText: unit.name })
  await expect(silent).toContainText(/Offline.*heard/)
  await units.getByRole('link', { name: /^1.*Offline$/ }).click()
  await expect(page).toHaveURL(/\/units\/list\?status=offline&inService=yes$/)
  await expect(page.getByRole('row').filter({ hasText: unit.name })).toBeVisible()

  await page.goBack()
  await forced.click()
  await expect(page).toHaveURL(new RegExp(`/sites/${site._id}\\?open=${door._id}$`))
  await expect(page.getByRole('dialog', { name: door.name })).toBeVisible()
})

test('§2 dashboard: who may not view it is sent to the events, and who may sees what is open to them', async ({
  page,
}) => {
  const holder = await addPerson(product, mailbox, {
    name: 'Holder',
    email: 'holder@portcullis.example',
    role: 'appUser',
  })
  await enterConsole(page, { url: product.url, path: '/main/dashboard', user: holder })
  await expect(page).toHaveURL(/\/main\/events\/list$/)
  await page.context().clearCookies()

  const reader = await addPerson(product, mailbox, {
    name: 'Reader',
    email: 'reader@portcullis.example',
    role: 'reportingUser',
  })
  await enterConsole(page, { url: product.url, path: '/main/dashboard', user: reader })
  await expect(page.getByRole('region', { name: 'Today, hour by hour' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('region')).toHaveText([
    /^Doors now/,
    /^Today/,
    /^Why people/,
    /^Alarms/,
  ])
})
