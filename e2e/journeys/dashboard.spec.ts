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

test('§2 dashboard: a forced door and a controller that goes offline appear on it and link to their pages', async ({
  page,
}) => {
  const { control } = controllers
  const { site, door, unit, serial } = await makeSmallSite({ ...product, control, serial: 'DB-1' })
  await enterConsole(page, { url: product.url })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/main\/dashboard$/)
  await expect(page).toHaveTitle('Dashboard - Portcullis')
  const doors = page.getByRole('region', { name: 'Doors now' })
  await expect(doors).toContainText('All doors are normal.')
  const units = page.getByRole('region', { name: 'Controllers' })
  await expect(units).toContainText('All controllers are online and in sync.')

  await control.present(serial, { door: 1, number: 'nobody-has-it' })
  const alarms = page.getByRole('region', { name: 'Alarms and denials, last 24 hours' })
  await expect(alarms.getByRole('link').filter({ hasText: 'Unknown credential' })).toContainText(door.name)
  await control.operateDoor(serial, { door: 1, what: 'forced' })
  const forced = doors.getByRole('link').filter({ hasText: door.name })
  await expect(forced).toContainText(/Forced.*since/)

  await control.setFaults(serial, { offline: true })
  const silent = units.getByRole('link').filter({ hasText: unit.name })
  await expect(silent).toContainText(/Offline.*heartbeat/)
  await units.getByRole('link', { name: /^1.*Offline$/ }).click()
  await expect(page).toHaveURL(/\/units\/list\?status=offline&inService=yes$/)
  await expect(page.getByRole('row').filter({ hasText: unit.name })).toBeVisible()

  await page.goBack()
  await forced.click()
  await expect(page).toHaveURL(new RegExp(`/sites/${site._id}\\?open=${door._id}$`))
  await expect(page.getByRole('dialog', { name: door.name })).toBeVisible()
})

test('§2 dashboard: users who may not view it are sent to the events, others see the permitted tiles', async ({
  page,
}) => {
  const holder = await addPerson(product, mailbox, {
    name: 'App user',
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
  await expect(page.getByRole('region', { name: 'Today by hour' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('region')).toHaveText([
    /^Doors now/,
    /^Today/,
    /^Why access was denied/,
    /^Alarms/,
  ])
})
