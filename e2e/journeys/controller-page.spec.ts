import { credentials } from '@portcullis/contract/collections/credentials'
import { rules } from '@portcullis/contract/collections/rules'
import { users } from '@portcullis/contract/collections/users'
import { expect, test } from '@playwright/test'
import { openWithControllers, type ProductWithControllers } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { makeSmallSite } from '../small-site.ts'
import { expectSound, viewsOf } from '../sound.ts'

const serial = 'VC-1101'

let product: ProductWithControllers
let place: Awaited<ReturnType<typeof makeSmallSite>>

test.beforeAll(async () => {
  product = await openWithControllers()
  place = await makeSmallSite({ client: product.client, control: product.controllers.control, serial })
})
test.afterAll(() => product.stop())

test('the page of a controller shows what it misses while it is offline, and that it is in sync again', async ({
  page,
}) => {
  const { control } = product.controllers
  const { unit, door, rule } = place
  const { client } = product
  const difference = page.getByRole('region', { name: 'Changes not applied yet' })

  await test.step('open it from the list', async () => {
    await enterConsole(page, { url: product.url })
    await page.goto(`${product.url}/main/units/list?open=${unit._id}`)
    await page.getByRole('dialog').getByRole('link', { name: 'Open the page of this controller' }).click()
    await expect(page.getByRole('heading', { level: 1, name: unit.name })).toBeVisible()
    await expect(difference).toContainText('has applied the current configuration')
    await expect(page.getByRole('table', { name: 'Doors' })).toContainText(door.name)
  })

  await test.step('a card that is added while it is offline is a change, and its user is not yet on it', async () => {
    await control.setFaults(serial, { offline: true })
    await expect(page.getByText('Last known: controller offline')).toBeVisible()
    const thabo = await client.of(users).create({ name: 'Thabo Nkosi' })
    await client.of(credentials).create({ kind: 'card', number: '0412-77', user: thabo._id })
    const who = [...rule.who, { kind: 'User', id: thabo._id } as const]
    await client.of(rules).patch(rule._id, { who })
    await expect(difference).toContainText('1 card added')
    await expect(difference).toContainText('1 cardholder not yet on the controller')
    await expect(difference.getByRole('link', { name: 'Thabo Nkosi' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Connection' })).toContainText('1 outage in the last 7 days')
    for (const { width, colorScheme } of viewsOf({ narrow: 390 })) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await expectSound(page)
    }
  })

  await test.step('it is edited on its page', async () => {
    await page.getByRole('button', { name: 'Edit controller' }).click()
    const drawer = page.getByRole('dialog', { name: unit.name })
    await drawer.getByLabel('Model').fill('PC-400')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await expect(drawer).toBeHidden()
    await expect(page.getByRole('region', { name: 'About this controller' })).toContainText('PC-400')
  })

  await test.step('it denies that card, which the policy grants', async () => {
    expect(await control.present(serial, { door: 1, number: '0412-77' })).toMatchObject({ verdict: 'deny' })
  })

  await test.step('once it is back, it has them', async () => {
    await control.setFaults(serial, { offline: false })
    await expect(difference).toContainText('has applied the current configuration')
    await expect(page.getByRole('region', { name: 'Events of the controller' })).toContainText('Online')
  })

  await test.step('the denial says that the controller was out of sync, and leads to its page', async () => {
    await page.goto(`${product.url}/main/events/list?time=all&reason=unit_out_of_step`)
    await page.getByRole('row', { name: /Thabo Nkosi/ }).click()
    const why = page.getByRole('complementary').or(page.getByRole('dialog'))
    await expect(why).toContainText('The controller was out of sync: the current policy says “granted”.')
    await why.getByRole('button', { name: 'Open the controller' }).click()
    await expect(page).toHaveURL(`${product.url}/main/units/${unit._id}`)
  })
})
