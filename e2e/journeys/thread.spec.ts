import { events } from '@portcullis/contract/collections/events'
import { units } from '@portcullis/contract/collections/units'
import { expect, type Page, test } from '@playwright/test'
import { openWithControllers, type ProductWithControllers } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { isInStep, makeSmallSite } from '../small-site.ts'

const serial = 'VC-1001'

let product: ProductWithControllers
let place: Awaited<ReturnType<typeof makeSmallSite>>

test.beforeAll(async () => {
  product = await openWithControllers()
  place = await makeSmallSite({ client: product.client, control: product.controllers.control, serial })
})
test.afterAll(() => product.stop())

test('§1 the thread: a card at the door appears live with its reason, and a changed rule changes the decision', async ({
  page,
}) => {
  const { control } = product.controllers
  const { door, number, person, rule, unit } = place
  const present = () => control.present(serial, { door: 1, number })

  await test.step('sign in and open Access Events', async () => {
    await enterConsole(page, { url: product.url })
    await page.getByRole('link', { name: 'Access Events' }).click()
    await expect(page).toHaveURL(/\/main\/events/)
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
  })

  await test.step('a swipe appears without a reload', async () => {
    await present()
    await expect(eventRows(page, 'Granted')).toHaveCount(1)
    await expect(eventRows(page, 'Granted')).toContainText(person.name)
    await expect(eventRows(page, 'Granted')).toContainText(door.name)
  })

  await test.step('open it and read why', async () => {
    await eventRows(page, 'Granted').click()
    const why = page.getByRole('complementary').or(page.getByRole('dialog'))
    await expect(why).toContainText(person.name)
    await expect(why).toContainText(`Rule ${rule.name} includes this door`)
  })

  await test.step('remove the user from the rule: the applied version increases', async () => {
    const controller = page.getByRole('row', { name: new RegExp(unit.name) })
    const { appliedVersion } = await product.client.of(units).get(unit._id)
    await page.goto(`${product.url}/main/units/list`)
    await expect(controller).toContainText(`version ${appliedVersion} applied`)
    await page.goto(`${product.url}/main/rules/list?open=${rule._id}`)
    const form = page.getByRole('dialog')
    const takeOut = form.getByRole('button', { name: new RegExp(`^Remove .*${person.name}`) })
    await takeOut.click()
    await expect(takeOut).toHaveCount(0)
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toBeHidden()
    await page.goto(`${product.url}/main/units/list`)
    await expect(controller).toContainText(`version ${(appliedVersion ?? 0) + 1} applied`)
    await expect(controller).toContainText('In sync')
  })

  await test.step('the next swipe is denied, because no rule includes the user and the door', async () => {
    await page.goto(`${product.url}/main/events/list`)
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await present()
    await expect(eventRows(page, 'Denied')).toHaveCount(1)
    await eventRows(page, 'Denied').click()
    const why = page.getByRole('complementary').or(page.getByRole('dialog'))
    await expect(why).toContainText(/no rule/i)
    const denied = await product.client.of(events).list({ filter: { outcome: 'denied' } })
    expect(denied.items.map(({ reason }) => reason)).toEqual(['no_access'])
  })

  await test.step('unlock the door once: the controller confirms it', async () => {
    await page.getByRole('button', { name: 'Unlock once' }).click()
    await expect(page.getByText(/Confirmed/)).toBeVisible()
  })

  await test.step('disconnect the controller: it appears offline and decides by itself', async () => {
    // An event counts as backfilled when it arrives more than a minute after its time, so the controller's clock is set back.
    await control.setFaults(serial, { offline: true, clockOffsetMs: -61_000 })
    await page.goto(`${product.url}/main/units/list`)
    await expect(page.getByRole('row', { name: new RegExp(unit.name) })).toContainText('Offline')
    await present()
    await control.stop(serial)
  })

  await test.step('start it again: it appears online, and its stored events arrive, marked as backfilled', async () => {
    await control.start(serial)
    await control.setFaults(serial, { offline: false, clockOffsetMs: 0 })
    await expect(page.getByRole('row', { name: new RegExp(unit.name) })).toContainText('Online')
    await expect.poll(() => backfilledDenials(product.client)).toBe(1)
    // Its time puts it below all others, and the list draws only the rows in view.
    await page.goto(`${product.url}/main/events/list?outcome=denied`)
    await expect(eventRows(page, 'Denied').filter({ hasText: /received after an outage/i })).toHaveCount(1)
    await expect.poll(() => isInStep(product.client, unit._id)).toBe(true)
  })
})

async function backfilledDenials(client: typeof product.client) {
  const { items } = await client.of(events).list({ filter: { outcome: 'denied' } })
  return items.filter(({ backfilled }) => backfilled).length
}

/** The list's rows with this outcome, newest first. */
function eventRows(page: Page, outcome: string) {
  return page.getByRole('row').filter({ hasText: outcome }).filter({ hasText: place.door.name })
}
