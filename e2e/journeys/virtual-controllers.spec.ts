import { expect, type Page, test } from '@playwright/test'
import { openWithControllers, type ProductWithControllers } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { makeSmallSite } from '../small-site.ts'
import { expectSound, show, views } from '../sound.ts'

const serial = 'VC-1301'

let product: ProductWithControllers
let place: Awaited<ReturnType<typeof makeSmallSite>>

test.beforeAll(async () => {
  product = await openWithControllers()
  place = await makeSmallSite({ client: product.client, control: product.controllers.control, serial })
})
test.afterAll(() => product.stop())

test('a card presented on the page of the virtual controllers is decided there, and appears in the console', async ({
  page: console,
  context,
}) => {
  const { door, number, person, unit } = place
  await enterConsole(console, { url: product.url, path: '/main/events/list' })
  await expect(console.getByText('Live', { exact: true })).toBeVisible()
  const page = await context.newPage()
  const decisions = page.getByRole('list', { name: 'Last decisions' }).getByRole('listitem')

  await test.step('the printed address opens the page, and the token does not stay in the URL', async () => {
    await page.goto(product.controllers.pageUrl)
    await expect(page.getByRole('heading', { name: unit.name })).toBeVisible()
    expect(page.url()).not.toContain('token')
    await page.reload()
    await expect(page.getByRole('heading', { name: unit.name })).toBeVisible()
  })

  await test.step('a known card is granted', async () => {
    await present(page, number)
    await expect(page.getByRole('status')).toHaveText('Granted.')
    await expect(decisions).toHaveCount(1)
    await expect(decisions.first()).toContainText('Granted.')
    await expect(decisions.first()).toContainText(door.name)
    const row = console.getByRole('row').filter({ hasText: 'Granted' }).filter({ hasText: door.name })
    await expect(row).toHaveCount(1)
    await expect(row).toContainText(person.name)
  })

  await test.step('an unknown card is denied with its reason', async () => {
    await present(page, '0000')
    await expect(page.getByRole('status')).toHaveText('Denied: Unknown credential (credential_unknown).')
    await expect(decisions).toHaveCount(2)
    await expect(decisions.first()).toContainText('Unknown credential')
    await expect(console.getByRole('row').filter({ hasText: 'Denied' })).toHaveCount(1)
  })

  await test.step('a door is forced by keyboard, and the button keeps the focus', async () => {
    const force = page.getByRole('button', { name: 'Force open' })
    await force.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('listitem').filter({ has: force })).toContainText('Forced open, locked')
    await expect(force).toBeFocused()
    await expect(console.getByRole('row').filter({ hasText: /forced/i })).not.toHaveCount(0)
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('listitem').filter({ has: force })).toContainText('Closed, locked')
  })

  await test.step('the page fits, and axe finds nothing', async () => {
    for (const view of views) {
      await show(page, view)
      await expectSound(page)
    }
  })

  await test.step('without network the controller decides by itself, and keeps its events through a power cut', async () => {
    const state = page.getByRole('region', { name: unit.name })
    const cable = page.getByLabel('Network cable unplugged')
    await cable.check()
    await page.getByRole('button', { name: 'Apply faults' }).click()
    await expect(state).toContainText('Offline')
    await present(page, number)
    await expect(decisions).toHaveCount(3)
    await page.getByRole('button', { name: 'Cut the power' }).click()
    await expect(page.getByRole('status')).toContainText('Power cut')
    await cable.uncheck()
    await page.getByRole('button', { name: 'Apply faults' }).click()
    await expect(state).toContainText('Online')
    await expect(console.getByRole('row').filter({ hasText: 'Granted' })).toHaveCount(2)
  })

  await test.step('a controller is switched off and on by keyboard', async () => {
    await page.getByRole('button', { name: 'Switch off' }).press('Enter')
    await expect(page.getByRole('button', { name: 'Switch on' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Cut the power' })).toBeFocused()
  })

  await test.step('a controller with a wrong code shows why it is not enrolled, and is removed', async () => {
    await page.getByText('Enrol a controller').click()
    await page.getByLabel('Serial number').fill('VC-13O1')
    await page.getByLabel('Code from the console').fill('ABCD-EFGH-JKLM')
    await page.getByRole('button', { name: 'Enrol', exact: true }).click()
    await expect(page.getByRole('status')).toContainText('bad_code')
    await expect(page.getByLabel('Serial number')).toHaveValue('VC-13O1')
    await page.getByRole('navigation', { name: 'Controllers' }).getByRole('link', { name: 'VC-13O1' }).click()
    await expect(page.getByRole('region', { name: 'VC-13O1' })).toContainText('Refused, bad_code')
    await page.getByRole('button', { name: 'Remove this controller' }).click()
    await expect(page.getByRole('status')).toHaveText('Removed.')
    await expect(page.getByRole('navigation', { name: 'Controllers' }).getByRole('link')).toHaveCount(1)
  })

  await test.step('a wrong token opens nothing', async () => {
    await page.goto(`${new URL('/', product.controllers.pageUrl).href}#token=guessed`)
    await expect(page.getByRole('status')).toContainText('The token is wrong.')
    await expect(page.getByRole('heading', { name: unit.name })).toHaveCount(0)
    await expect(page.getByLabel('Token')).toBeVisible()
  })
})

async function present(page: Page, number: string) {
  await page.getByLabel('Number', { exact: true }).fill(number)
  await page.getByRole('button', { name: 'Present' }).click()
}
