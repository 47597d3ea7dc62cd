import { sites } from '@portcullis/contract/collections/sites'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { openGate } from '../gate.ts'
import { openWithControllers, type ProductWithControllers } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { makeSmallSite } from '../small-site.ts'

const serial = 'VC-2001'

let product: ProductWithControllers

test.beforeAll(async () => {
  product = await openWithControllers()
  await makeSmallSite({ client: product.client, control: product.controllers.control, serial })
})
test.afterAll(() => product.stop())

test('§2 a browser that was cut off shows missed changes, once and in order, without reading its lists again', async ({
  page,
}) => {
  const gate = await openGate(product.url)
  try {
    await enterConsole(page, { url: gate.url })
    await test.step('events arrive while it is cut off', async () => {
      await page.getByRole('link', { name: 'Access Events' }).click()
      await expect(page.getByText('Live', { exact: true })).toBeVisible()
      await present(1, 30)
      await expect(numbersOf(page)).toHaveText(expected(30, 1))
      const requestCount = await listRequests(page, 'events')
      gate.shut()
      await expect(page.getByText('Reconnecting', { exact: true })).toBeVisible()
      await present(31, 34)
      gate.open()
      await expect(page.getByText('Live', { exact: true })).toBeVisible()
      await expect(numbersOf(page)).toHaveText(expected(34, 1))
      expect(requestCount()).toBe(0)
    })

    await test.step('changes missed while scrolled down are counted, and nothing moves', async () => {
      await page.mouse.wheel(0, 600)
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(300)
      const scrolledTo = await page.evaluate(() => window.scrollY)
      gate.shut()
      await expect(page.getByText('Reconnecting', { exact: true })).toBeVisible()
      await present(35, 37)
      gate.open()
      await expect(page.getByText(/3 new/).first()).toBeVisible()
      expect(await page.evaluate(() => window.scrollY)).toBe(scrolledTo)
      await expect(numbersOf(page)).toHaveText(expected(34, 1))
      await page.evaluate(() => window.scrollTo({ top: 0 }))
      await expect(numbersOf(page)).toHaveText(expected(37, 1))
    })

    await test.step('a list of configured items catches up in the same way', async () => {
      await page.getByRole('link', { name: 'Sites' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Sites' })).toBeVisible()
      await expect(page.getByRole('row', { name: /Harbour/ })).toBeVisible()
      await expect(page.getByText('Live', { exact: true })).toBeVisible()
      const { items } = await product.client.of(sites).list({})
      const rename = (name: string) => product.client.of(sites).patch(items[0]?._id ?? '', { name })
      // A row that updates live proves that the browser has joined the room.
      await rename('Renamed before')
      await expect(page.getByRole('row', { name: /Renamed before/ })).toBeVisible()
      let turn = 0
      // A list is read again if something is saved during its first read, so this is retried.
      await expect(async () => {
        turn += 1
        const name = `Renamed while away, turn ${turn}`
        const requestCount = await listRequests(page, 'sites')
        gate.shut()
        await expect(page.getByText('Reconnecting', { exact: true })).toBeVisible()
        await rename(name)
        gate.open()
        await expect(page.getByRole('row', { name })).toBeVisible()
        expect(requestCount()).toBe(0)
      }).toPass()
    })
  } finally {
    await gate.close()
  }
})

test('§4 lists: on a phone, older events appear below the last one, which does not move', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await present(40, 130)
  await enterConsole(page, { url: product.url })
  await page.goto(`${product.url}/main/events/list`)
  const older = page.getByRole('button', { name: 'Older events' })
  await older.scrollIntoViewIfNeeded()
  const last = Number(/7(\d{7})/.exec(await numbersOf(page).last().innerText())?.[1])
  const [lastShown, nextOlder] = [cardRow(page, last), cardRow(page, last - 1)]
  const before = await top(lastShown)
  await older.click()
  await expect(nextOlder).toBeAttached()
  expect(Math.abs((await top(lastShown)) - before)).toBeLessThan(4)

  async function top(of: Locator) {
    return (await of.boundingBox())?.y ?? Number.NaN
  }
})

/** Presents unknown cards with these numbers. */
async function present(first: number, last: number) {
  for (let card = first; card <= last; card++) {
    await product.controllers.control.present(serial, { door: 1, number: numberOf(card) })
  }
}

function numberOf(card: number) {
  return `7${String(card).padStart(7, '0')}`
}

function cardRow(page: Page, card: number) {
  return page.getByRole('row').filter({ hasText: numberOf(card) })
}

function numbersOf(page: Page) {
  return page.getByRole('row').filter({ hasText: /7\d{7}/ })
}

/** Patterns for the rows of these cards, newest first. */
function expected(newest: number, oldest: number) {
  return Array.from({ length: newest - oldest + 1 }, (_, index) => new RegExp(numberOf(newest - index)))
}

/** Waits until no request is open, then returns a function that gives the number of later requests for a list. */
async function listRequests(page: Page, collection: string) {
  let count = 0
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === `/api/${collection}`) count += 1
  })
  return () => count
}
