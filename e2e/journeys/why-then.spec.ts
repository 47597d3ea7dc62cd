import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { events } from '@portcullis/contract/collections/events'
import { rules } from '@portcullis/contract/collections/rules'
import { units } from '@portcullis/contract/collections/units'
import { expect, test } from '@playwright/test'
import { openWithControllers, type ProductWithControllers } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { isInStep, makeSmallSite } from '../small-site.ts'
import { violationsOf } from '../sound.ts'

const serial = 'T-1'

let product: ProductWithControllers
let place: Awaited<ReturnType<typeof makeSmallSite>>

test.beforeAll(async () => {
  product = await openWithControllers()
  place = await makeSmallSite({ client: product.client, control: product.controllers.control, serial })
})
test.afterAll(() => product.stop())

test('a denial is explained by the rule of its time, after the rule was changed, undone and deleted', async ({
  page,
}) => {
  const { rule, number, unit, person } = place
  const ofRules = product.client.of(rules)
  const applied = async () => (await product.client.of(units).get(unit._id)).appliedVersion ?? 0
  const before = await applied()
  await ofRules.patch(rule._id, { direction: 'exit' })
  await expect.poll(applied).toBeGreaterThan(before)
  await expect.poll(() => isInStep(product.client, unit._id)).toBe(true)
  const denied = await product.controllers.control.present(serial, { door: 1, number })
  expect(denied).toEqual({ verdict: 'deny', reason: 'no_access' })
  const found = async () => (await product.client.of(events).list({ filter: { outcome: 'denied' } })).items
  await expect.poll(async () => (await found()).length).toBe(1)
  const [event] = await found()

  await ofRules.patch(rule._id, { direction: 'both' })
  const log = await product.client.of(auditLogs).list({ filter: { item: rule._id }, sort: { prop: 'at', dir: 'desc' } })
  await product.client.history.undo(log.items[0]?._id ?? '')
  await ofRules.remove(rule._id)

  await enterConsole(page, { url: product.url, path: `/main/events/list?event=${event?._id}` })
  const then = page.getByRole('region', { name: 'At that time' })
  await expect(then).toContainText('The rules of that time give the same result, check by check.')
  await expect(then).toContainText('Now access would be denied')
  await expect(then.getByRole('list', { name: 'Would have opened with' })).toHaveText(
    `Make ${rule.name} apply in this direction too.`,
  )
  const changes = then.getByRole('list', { name: 'Changed since' }).getByRole('listitem')
  await expect(changes).toContainText([
    `Rule ${rule.name} was deleted`,
    `Rule ${rule.name} was changed: Direction`,
    `Rule ${rule.name} was changed: Direction`,
  ])
  await expect(changes.nth(1)).toContainText('by an undo')
  await expect(page.getByRole('complementary')).toContainText(person.name)
  expect(await violationsOf(page)).toEqual([])

  await changes.first().getByRole('link', { name: 'Show in the audit log' }).click()
  await expect(page).toHaveURL(/auditLogs\/list\?entry=/)
  await expect(page.getByRole('dialog')).toContainText(rule.name)
})
