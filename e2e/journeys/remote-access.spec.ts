import { doors } from '@portcullis/contract/collections/doors'
import { expect, type Page, test } from '@playwright/test'
import { changeRows } from '../change-rows.ts'
import { openWithControllers, type ProductWithControllers } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { isInStep, makeSmallSite } from '../small-site.ts'
import { violationsOf } from '../sound.ts'

let product: ProductWithControllers
let site: Awaited<ReturnType<typeof makeSmallSite>>

test.beforeAll(async () => {
  product = await openWithControllers()
  site = await makeSmallSite({ ...product, control: product.controllers.control, serial: 'RA-1' })
  await product.client.of(doors).patch(site.door._id, { requiresRemoteAuth: true })
  await expect.poll(() => isInStep(product.client, site.door.unit ?? '')).toBe(true)
})
test.afterAll(() => product.stop())

test('§4 remote access: a request at the door is announced and granted from the list, and the door opens', async ({
  page,
}) => {
  await enterConsole(page, { url: product.url, path: '/main/events/list' })
  await isLive(page)
  const verdict = present()
  await page.getByRole('button', { name: 'New Access Requested' }).click()
  const request = page.getByRole('listitem').filter({ hasText: site.person.name })
  await expect(request.getByRole('progressbar')).toHaveAccessibleName(/^\d+ seconds left$/)
  await expect(page.getByRole('button', { name: 'Notifications' })).toHaveAccessibleDescription(
    '1 request waiting for a decision',
  )
  expect(await violationsOf(page)).toEqual([])

  await request.getByRole('button', { name: 'Grant' }).click()
  await expect(page.getByText('Access granted')).toBeVisible()
  expect(await verdict).toEqual({ verdict: 'grant', reason: null })
  await expect(request).toContainText('Granted')
  await expect(request).toContainText('Opened')
  await request.getByRole('button', { name: 'Clear' }).click()
  await expect(request).toHaveCount(0)

  await page.getByRole('link', { name: 'All access requests' }).click()
  await expect(page.getByRole('heading', { name: 'Access requests' })).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: site.person.name })
  await expect(row).toContainText(/Granted.*Opened/)

  const other = await page.context().newPage()
  await other.goto(page.url())
  await isLive(other)
  await row.getByRole('button').click()
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.type('Seen on camera')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Change note' })).toBeFocused()
  await expect(other.getByRole('row').filter({ hasText: 'Seen on camera' })).toContainText(site.person.name)
  await other.close()

  await page.goto(`${product.url}/main/events/list`)
  await expect(page.getByRole('row').filter({ hasText: 'Unlocked once' })).toContainText(site.door.name)
  await expect(page.getByRole('row').filter({ hasText: 'Request granted' })).toContainText(site.person.name)
})

test('§4 remote access: on a phone it is denied by a large button, and a request decided in another tab leaves the list', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await enterConsole(page, { url: product.url })
  await isLive(page)
  const denied = present()
  await page.getByRole('button', { name: 'New Access Requested' }).click()
  const sheet = page.getByRole('dialog', { name: 'Access requests' })
  const deny = sheet.getByRole('button', { name: 'Deny' })
  await expect(deny).toBeInViewport()
  expect((await deny.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await deny.click()
  await expect(page.getByText('Access denied')).toBeVisible()
  expect(await denied).toEqual({ verdict: 'deny', reason: 'remote_denied' })
  await expect(sheet.getByRole('button', { name: 'Clear' })).toBeVisible()

  const other = await context.newPage()
  await other.goto(`${product.url}/main/events/list`)
  await isLive(other)
  const verdict = present()
  const waiting = sheet.getByRole('button', { name: 'Grant' })
  await expect(waiting).toBeVisible()
  await other.getByRole('button', { name: 'Notifications' }).click()
  await other.getByRole('button', { name: 'Grant', exact: true }).click()
  expect(await verdict).toEqual({ verdict: 'grant', reason: null })
  await expect(waiting).toHaveCount(0)
  await expect(sheet.getByRole('listitem')).toHaveCount(1)
})

test('§4 remote access: the user’s own request waits for another user, is withdrawn, or leaves on expiry', async ({
  page,
}) => {
  await enterConsole(page, { url: product.url })
  await isLive(page)
  await product.client.remoteAccess.ask(site.door._id, { expiresAfterSeconds: 600 })
  await page.getByRole('button', { name: 'New Access Requested' }).click()
  const own = page.getByRole('listitem').filter({ hasText: 'Your own request' })
  await expect(own.getByRole('button', { name: 'Grant' })).toBeDisabled()
  await expect(own.getByRole('button', { name: 'Deny' })).toBeDisabled()
  await own.getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByText('Request withdrawn')).toBeVisible()
  await expect(own).toHaveCount(0)
  const { _id } = await product.client.remoteAccess.ask(site.door._id, { expiresAfterSeconds: 600 })
  await expect(own).toHaveCount(1)
  await expire(_id)
  await expect(own).toHaveCount(0)
  await expect(page.getByText('No requests')).toBeVisible()
})

test('§4 remote access: if enabled, a request plays a sound and, in a hidden tab, shows a notification opening the list', async ({
  page,
}) => {
  // Records played tones, and desktop notifications instead of showing them.
  await page.addInitScript(() => {
    const alerts: string[] = []
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (when) {
      alerts.push('tone')
      start.call(this, when)
    }
    class DesktopNotification extends EventTarget {
      static permission = 'default'
      static async requestPermission() {
        DesktopNotification.permission = 'granted'
        return DesktopNotification.permission
      }
      constructor(title: string, { body }: { body: string }) {
        super()
        alerts.push(`${title}: ${body}`)
        window.addEventListener('pressed', () => this.dispatchEvent(new Event('click')))
      }
      close() {}
    }
    Object.assign(window, { Notification: DesktopNotification, alerts })
  })
  const alerts = () => page.evaluate((): unknown => Reflect.get(window, 'alerts'))
  await enterConsole(page, { url: product.url })
  await isLive(page)
  const first = await product.client.remoteAccess.ask(site.door._id, { expiresAfterSeconds: 60 })
  await page.getByRole('button', { name: 'New Access Requested' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Your own request' })).toBeVisible()
  expect(await alerts()).toEqual([])
  await page.getByLabel('Sound', { exact: true }).check()
  await page.getByLabel('Browser notifications').check()
  expect(await alerts()).toEqual(['tone', 'tone'])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Access requests' })).toBeHidden()

  await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }))
  await expire(first._id)
  const second = await product.client.remoteAccess.ask(site.door._id, { expiresAfterSeconds: 60 })
  const called = expect.stringMatching(new RegExp(`^New Access Requested: .*${site.door.name}`))
  await expect.poll(alerts).toEqual(['tone', 'tone', 'tone', 'tone', called])
  await page.evaluate(() => window.dispatchEvent(new Event('pressed')))
  await expect(page.getByRole('dialog', { name: 'Access requests' })).toBeVisible()
  await expire(second._id)
})

test('§4 remote access: each of several requests in a row shows a toast', async ({ page }) => {
  await enterConsole(page, { url: product.url })
  await isLive(page)
  await page.evaluate(() => {
    let toasts = 0
    new MutationObserver((records) => {
      const added = records.flatMap(({ addedNodes }) => [...addedNodes])
      toasts += added.filter((node) => node.textContent?.includes('New Access Requested')).length
      document.body.dataset['toasts'] = String(toasts)
    }).observe(document.body, { childList: true, subtree: true })
  })
  for (let requestNumber = 1; requestNumber <= 5; requestNumber += 1) {
    const { _id } = await product.client.remoteAccess.ask(site.door._id, { expiresAfterSeconds: 60 })
    await expect(page.locator('body')).toHaveAttribute('data-toasts', String(requestNumber))
    await expire(_id)
  }
})

/** Ends an open request now: a user has only one at a door. */
function expire(request: string) {
  const statement = 'update task set task_expires_at = clock_timestamp() where task_id = $1'
  return changeRows({ ...product, statement, values: [request] })
}

function present() {
  return product.controllers.control.present(site.serial, { door: 1, number: site.number })
}

/** Waits until the page receives live changes, so that it misses none from here on. */
async function isLive(page: Page) {
  await expect(page.getByRole('button', { name: 'Notifications' })).toBeVisible()
  await expect(page.getByText('Live', { exact: true }).first()).toBeVisible()
}
