import { schedules } from '@portcullis/contract/collections/schedules'
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { violationsOf } from '../sound.ts'

/** Schedules in a real browser: where they need a layout, a finger or a mouse. */
let product: Product

test.beforeAll(async () => {
  product = await openProduct()
})
test.afterAll(() => product.stop())

test('§4 schedules: hours are drawn with a finger, without scrolling the form', async ({ browser }) => {
  const { page, drawer, id, close } = await openSchedule(browser, { width: 390, height: 844, hasTouch: true })
  const place = () => drawer.getByRole('application').boundingBox()
  const before = await place()
  // The touches of this test scroll nothing, so it looks at the style that forbids scrolling.
  await expect(drawer.getByRole('application')).toHaveCSS('touch-action', 'none')
  const touch = await page.context().newCDPSession(page)
  const [from, to] = [await pointOf(drawer, { day: 2, hour: 8 }), await pointOf(drawer, { day: 6, hour: 18 })]
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] })
  for (const share of [0.25, 0.5, 0.75, 1]) {
    const point = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] })
  }
  await expect(drawer.getByText('Opening Tue to Sat 08:00 to 18:15')).toBeVisible()
  expect(await place()).toEqual(before)
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await save(drawer)
  expect(await windowsOf(id)).toEqual([{ days: [2, 3, 4, 5, 6], start: '08:00', end: '18:15' }])
  await close()
})

test('§4 schedules: a night is drawn with the mouse on two days, and copied with the keyboard', async ({ browser }) => {
  const { page, drawer, id, close } = await openSchedule(browser, { width: 1440, height: 900 })
  for (const [from, to] of [
    [
      { day: 5, hour: 22 },
      { day: 5, hour: 23.8 },
    ],
    [
      { day: 6, hour: 0.1 },
      { day: 6, hour: 5.8 },
    ],
  ] as const) {
    const [first, last] = [await pointOf(drawer, from), await pointOf(drawer, to)]
    await page.mouse.move(first.x, first.y)
    await page.mouse.down()
    await page.mouse.move(last.x, last.y, { steps: 4 })
    await page.mouse.up()
  }
  await expect(drawer.getByRole('group', { name: 'Fri 22:00 to 06:00 next day' })).toBeVisible()
  await drawer.getByRole('button', { name: 'Copy hours…' }).press('Enter')
  const copying = drawer.getByRole('group', { name: 'Copy hours…' })
  await copying.getByRole('combobox', { name: 'Hours of' }).selectOption('Fri')
  await copying.getByRole('button', { name: 'Sun' }).press('Space')
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([])
  await copying.getByRole('button', { name: 'Copy', exact: true }).press('Enter')
  await save(drawer)
  expect(await windowsOf(id)).toEqual([{ days: [5, 7], start: '22:00', end: '06:00' }])
  await close()
})

type Screen = { width: number; height: number; hasTouch?: boolean }

/** A schedule without hours, in its drawer. */
async function openSchedule(browser: Browser, { hasTouch = false, ...viewport }: Screen) {
  const { _id: id } = await product.client.of(schedules).create({ name: 'Shifts' })
  const context = await browser.newContext({ viewport, hasTouch })
  const page: Page = await context.newPage()
  await enterConsole(page, { url: product.url, path: `/main/rules/schedules?open=${id}` })
  const drawer = page.getByRole('dialog', { name: 'Shifts' })
  await drawer.getByRole('application').scrollIntoViewIfNeeded()
  return { page, drawer, id, close: () => context.close() }
}

/** The place of an hour in the drawing: below the names of its days begin the lanes, 42 px from the left. */
async function pointOf(drawer: Locator, { day, hour }: { day: number; hour: number }) {
  const box = await drawer.getByRole('application').boundingBox()
  if (!box) throw new Error('The drawing is not visible.')
  const left = box.x + 42
  const x = left + ((box.x + box.width - left) * hour) / 24
  return { x: x + 1, y: box.y + (box.height * (day - 0.5)) / 7 }
}

async function save(drawer: Locator) {
  await drawer.getByRole('button', { name: 'Save' }).click()
  await expect(drawer).toHaveCount(0)
}

async function windowsOf(id: string) {
  return (await product.client.of(schedules).get(id)).windows
}
