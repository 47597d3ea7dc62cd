import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import type { TestMailbox } from '../../apps/server/src/mail/test-mailbox.ts'
import { addPerson } from '../people.ts'
import type { Product } from '../open-product.ts'
import { openProductWithMailbox } from '../product-with-mailbox.ts'
import { enterConsole } from '../sign-in.ts'
import { expectSoundInAllViews } from '../sound.ts'

// Parallel, because no test depends on the data of another.
test.describe.configure({ mode: 'parallel' })

let product: Product

let mailbox: TestMailbox

test.beforeAll(async () => {
  ;({ product, mailbox } = await openProductWithMailbox())
})
test.afterAll(() => product.stop())

const idleTime = 300

test('§4 idle: after 300 seconds without activity a modal counts down 60 seconds, and Continue closes it', async ({
  page,
  context,
}) => {
  await openConsole(page, context)
  await context.clock.fastForward(idleTime * 1_000 - 20_000)
  await expect(warning(page)).toBeHidden()
  await context.clock.fastForward(21_000)
  const shown = warning(page).locator('p')
  await expect(shown).toBeVisible()
  await stopClock(page, { idleForS: idleTime + 20 })
  await expect(shown).toHaveText(
    'You have been idle for more than 300 seconds and will be logged out automatically in 40 seconds, or press Continue to stay signed in.',
  )
  await page.mouse.move(300, 300)
  await page.mouse.move(310, 320)
  await page.keyboard.press('Shift')
  await expect(warning(page)).toBeVisible()
  await stopClock(page, { idleForS: idleTime + 59 })
  await expect(shown).toContainText('automatically in 1 second,')
  const activityCall = page.waitForRequest('**/api/auth/activity')
  await warning(page).getByRole('button', { name: 'Continue' }).click()
  await activityCall
  await context.clock.resume()
  await expect(warning(page)).toBeHidden()
  await context.clock.fastForward(idleTime * 1_000 - 20_000)
  await expect(warning(page)).toBeHidden()
})

test('§4 idle: at the end of the countdown the user is logged out, with the page as the return URL', async ({
  page,
  context,
}) => {
  await openConsole(page, context)
  await page.goto(`${product.url}/main/units/list`)
  await expectOpen(page)
  const cookies = await context.cookies()
  await context.clock.fastForward(idleTime * 1_000 + 1_000)
  await expect(warning(page)).toBeVisible()
  await context.clock.fastForward(60_000)
  await expect(page).toHaveURL(`${product.url}/authentication/login?returnUrl=%2Fmain%2Funits%2Flist`)
  await expect(warning(page)).toBeHidden()
  const stale = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${product.url}/api/users/me`, { headers: { cookie: stale, 'x-js-account': 'null' } })
  expect(answer.status).toBe(401)
})

test('§4 idle: a user who moves the mouse, types or scrolls is not warned', async ({ page, context }) => {
  await openConsole(page, context)
  for (const act of [
    () => page.mouse.move(200, 200),
    () => page.mouse.move(220, 240),
    () => page.keyboard.press('Shift'),
    () => page.mouse.wheel(0, 10),
  ]) {
    await context.clock.fastForward(200_000)
    await act()
  }
  await context.clock.fastForward(200_000)
  await expect(warning(page)).toBeHidden()
})

test('§4 idle: activity is sent to the server at most every 30 seconds, the last one included', async ({
  page,
  context,
}) => {
  await openConsole(page, context)
  await context.clock.fastForward(60_000)
  let activityCalls = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/activity')) activityCalls += 1
  })
  await page.mouse.move(100, 100)
  await page.mouse.move(120, 130)
  await expect.poll(() => activityCalls).toBe(1)
  for (const second of [1, 2, 3, 4]) {
    await context.clock.fastForward(1_000)
    await page.mouse.move(100 + 20 * second, 300)
  }
  await page.keyboard.press('Shift')
  expect(activityCalls).toBe(1)
  await context.clock.fastForward(30_000)
  await expect.poll(() => activityCalls).toBe(2)
  await context.clock.fastForward(40_000)
  await context.clock.fastForward(40_000)
  await expect(warning(page)).toBeHidden()
  expect(activityCalls).toBe(2)
})

test('§4 idle: activity in one tab counts in all, and Continue in one closes the modal in all', async ({
  page,
  context,
}) => {
  await openConsole(page, context)
  const other = await context.newPage()
  await other.goto(`${product.url}/main/contacts/list`)
  await expectOpen(other)
  await context.clock.fastForward(200_000)
  await page.mouse.move(200, 200)
  await page.mouse.move(220, 240)
  await context.clock.fastForward(200_000)
  await expect(warning(page)).toBeHidden()
  await expect(warning(other)).toBeHidden()
  await context.clock.fastForward(110_000)
  await expect(warning(page)).toBeVisible()
  await expect(warning(other)).toBeVisible()
  await warning(other).getByRole('button', { name: 'Continue' }).click()
  await expect(warning(other)).toBeHidden()
  await expect(warning(page)).toBeHidden()
})

test('§4 idle: several tabs log out once, and each keeps its own return URL', async ({ page, context }) => {
  await openConsole(page, context)
  const other = await context.newPage()
  await other.goto(`${product.url}/main/contacts/list`)
  await expectOpen(other)
  let logOuts = 0
  context.on('request', (request) => {
    if (request.url().endsWith('/api/auth/logout')) logOuts += 1
  })
  await context.clock.fastForward(idleTime * 1_000 + 61_000)
  await expect(page).toHaveURL(/\/authentication\/login\?returnUrl=%2Fmain%2Fsites/)
  await expect(other).toHaveURL(/\/authentication\/login\?returnUrl=%2Fmain%2Fcontacts/)
  expect(logOuts).toBe(1)
})

test('§4 idle: a computer that slept past the end of the idle time opens the login when it wakes', async ({
  page,
  context,
}) => {
  await openConsole(page, context)
  await context.clock.fastForward(8 * 3_600_000)
  await expect(page).toHaveURL(/\/authentication\/login\?returnUrl=%2Fmain%2Fsites/)
})

test('§4 idle: logging out in one tab logs out in all', async ({ page, context }) => {
  await openConsole(page, context)
  const other = await context.newPage()
  await other.goto(`${product.url}/main/contacts/list`)
  await expectOpen(other)
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await expect(page).toHaveURL(`${product.url}/authentication/login`)
  await expect(other).toHaveURL(/\/authentication\/login\?returnUrl=%2Fmain%2Fcontacts/)
})

test('§4 idle: the warning is announced to screen readers at its start and near its end, not every second', async ({
  page,
  context,
}) => {
  await openConsole(page, context)
  await context.clock.fastForward(idleTime * 1_000 + 1_000)
  const announcement = page.getByRole('dialog').getByRole('alert')
  const first =
    'You have been idle for more than 300 seconds and will be logged out automatically in 60 seconds, or press Continue to stay signed in.'
  await expect(announcement).toHaveText(first)
  await stopClock(page, { idleForS: idleTime + 40 })
  await expect(warning(page).locator('p')).toContainText('automatically in 20 seconds')
  await expect(announcement).toHaveText(first)
  await stopClock(page, { idleForS: idleTime + 50 })
  await expect(announcement).toHaveText('You will be logged out in 10 seconds. Press Continue to stay signed in.')
})

test('§4 idle: the user’s own idle time applies, and the warning appears without any input', async ({
  page,
  context,
}) => {
  const person = await addPerson(product, mailbox, { name: 'Sefu', email: 'sefu@portcullis.example', idleTime: 5 })
  await context.clock.install()
  await enterConsole(page, { url: product.url, user: person })
  await expectOpen(page)
  // The last half second passes in real time.
  await context.clock.fastForward(4_500)
  await expect(warning(page)).toBeVisible()
  await expect(warning(page).locator('p')).toContainText('idle for more than 5 seconds')
  await warning(page).getByRole('button', { name: 'Continue' }).click()
  await expect(warning(page)).toBeHidden()
  expect(
    (await page.request.get(`${product.url}/api/users/me`, { headers: { 'x-js-account': 'null' } })).status(),
  ).toBe(200)
})

test('§4 idle: the warning fits and passes axe', async ({ page, context }) => {
  await openConsole(page, context)
  await context.clock.fastForward(idleTime * 1_000 + 1_000)
  await expect(warning(page)).toBeVisible()
  await expect(warning(page).getByRole('button', { name: 'Continue' })).toBeFocused()
  await expectSoundInAllViews(page)
})

async function openConsole(page: Page, context: BrowserContext) {
  await context.clock.install()
  await enterConsole(page, { url: product.url })
  await expectOpen(page)
}

async function expectOpen(page: Page) {
  await expect(page).toHaveURL(/\/main\//)
  await expect(page.getByRole('button', { name: 'User menu' })).toBeVisible()
}

/** Stops the clock at the time when the user has been idle for `idleForS` seconds. */
async function stopClock(page: Page, { idleForS }: { idleForS: number }) {
  const lastActivityAt = await page.evaluate(() => Number(localStorage.getItem('portcullis-activity')))
  await page.context().clock.pauseAt(lastActivityAt + idleForS * 1_000)
}

function warning(page: Page) {
  return page.getByRole('dialog', { name: 'Are you still there?' })
}
