import { rules } from '@portcullis/contract/collections/rules'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { expect, test } from '@playwright/test'
import pg from 'pg'
import { compileLock } from '../../apps/server/src/desired/compile-units.ts'
import { openTestMailbox, type TestMailbox } from '../../apps/server/src/mail/test-mailbox.ts'
import { changeRows } from '../change-rows.ts'
import { addPerson } from '../people.ts'
import { openWithControllers, type Product, type ProductWithControllers } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { makeSmallSite } from '../small-site.ts'

let product: ProductWithControllers
let mailbox: TestMailbox

test.beforeAll(async () => {
  mailbox = await openTestMailbox()
  product = await openWithControllers('empty', { smtpUrl: mailbox.url })
})
test.afterAll(async () => {
  await product.stop()
  await mailbox.close()
})

test('§2 dashboard: a forced door and a controller that goes offline appear on it and link to their pages', async ({
  page,
}) => {
  const { control } = product.controllers
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

test('§3 controllers without a current configuration appear on the dashboard and on themselves, and vanish, live', async ({
  page,
}) => {
  const { unit } = await makeSmallSite({ ...product, control: product.controllers.control, serial: 'DB-2' })
  const list = await page.context().newPage()
  await enterConsole(list, { url: product.url, path: `/main/units/list?open=${unit._id}` })
  const drawer = list.getByRole('dialog', { name: unit.name })
  const row = list.getByRole('row').filter({ hasText: unit.name })
  await expect(drawer).toContainText(/In sync/)
  await page.goto(`${product.url}/main/dashboard`)
  const tile = page.getByRole('region', { name: 'Controllers' })
  await expect(tile).toContainText('1Online')

  const lag = await holdPolicyBack(product)
  await expect(tile.getByRole('link').filter({ hasText: unit.name })).toContainText('Out of sync')
  await expect(tile).toContainText('by the previous policy')
  await expect(row).toContainText('Out of sync')
  await expect(drawer).toContainText('The server has not prepared the latest changes yet.')
  await lag.end()
  await expect(tile).not.toContainText('previous policy')
  await expect(drawer).toContainText(/In sync/)

  const rule = await product.client.of(rules).create({ name: 'No robots', effect: 'deny', who: [], where: [] })
  await changeRows({
    ...product,
    statement: `with own as (select rule_account, rule_id from rule where rule_id = $1),
      linked as (insert into link (link_account, link_owner, link_field, link_kind, link_target)
        select rule_account, rule_id, 'who', 'Robot', gen_random_uuid() from own)
      insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
        select rule_account, 'rules', rule_id, 'save', true from own`,
    values: [rule._id],
  })
  await expect(tile.getByRole('link').filter({ hasText: unit.name })).toContainText('Failed')
  await expect(tile).toContainText('the server could not prepare the current')
  await expect(drawer).toContainText('The server could not prepare the configuration')
  await product.client.of(rules).remove(rule._id)
  await expect(drawer).toContainText(/In sync/)
})

/** Keeps the latest change of the policy from being compiled, as a server that hangs does. */
async function holdPolicyBack({ databaseUrl, client }: Product) {
  const database = new pg.Client(databaseUrl)
  await database.connect()
  await database.query('select pg_advisory_lock($1, policy_root) from policy', [compileLock])
  await client.of(userGroups).create({ name: 'Night shift' })
  // Instead of the 10 seconds that a change may take.
  const late = `update policy set policy_awaited_at = now() - interval '1 minute'
    where policy_awaited_version > policy_compiled_version`
  await expect.poll(async () => (await database.query(late)).rowCount).toBe(1)
  return { end: () => database.end() }
}

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
