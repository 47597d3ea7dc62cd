import { doors } from '@portcullis/contract/collections/doors'
import { users } from '@portcullis/contract/collections/users'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { viewsOf, violationsOf } from '../sound.ts'

/**
 * Every screen that exists, and what opens on it, in both schemes and widths: nothing fails, nothing scrolls sideways, nobody is
 * shut out.
 */
const lists = [
  { path: 'sites/groups', add: 'Add site group' },
  { path: 'sites/doorGroups', add: 'Add door group' },
  { path: 'units/list', add: 'Add controller' },
  { path: 'rules/list', add: 'Add rule' },
  { path: 'rules/schedules', add: 'Add schedule' },
  { path: 'rules/holidays', add: 'Add holiday' },
  { path: 'rules/adhoc', add: 'Give access for a while' },
  { path: 'users/list', add: 'Add person' },
  { path: 'users/groups', add: 'Add group' },
  { path: 'incidentReports/list', add: 'Add incident report' },
  { path: 'contacts/list', add: 'Add contact' },
  { path: 'tenant/list', add: 'Add identity provider' },
  { path: 'account/list', add: 'Add account' },
] as const

let product: Product

test.beforeAll(async () => {
  product = await openProduct('demonstration')
})
test.afterAll(() => product.stop())

for (const { width, colorScheme } of viewsOf({ narrow: 390 })) {
  test(`every screen of the demonstration, and what opens on it, is whole at ${width} px, ${colorScheme}`, async ({
    browser,
  }) => {
    test.setTimeout(480_000)
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    const faults = collectFaults(page)
    await enterConsole(page, { url: product.url })

    for (const { path, add } of lists) {
      await test.step(path, async () => {
        await visit(page, path)
        await openAndLook(page, { opener: page.getByRole('button', { name: add }), title: add })
        await firstRow(page).click()
        await look(page, dialog(page))
        if (path === 'units/list') await lookInto(page, /^Enrol/)
        if (path === 'users/list') await lookInto(page, 'Add credential')
        await close(dialog(page))
      })
    }

    await test.step('the dashboard', async () => {
      await visit(page, 'dashboard', { view: page.getByRole('figure', { name: 'People let in, by the hour' }) })
    })

    await test.step('a site, its form and its doors', async () => {
      await visit(page, 'sites/list')
      await openAndLook(page, { opener: page.getByRole('button', { name: 'Add site' }), title: 'Add site' })
      await firstRow(page).click()
      await look(page, firstRow(page))
      await openAndLook(page, { opener: page.getByRole('button', { name: 'Edit site' }) })
      await openAndLook(page, { opener: page.getByRole('button', { name: 'Add door' }), title: 'Add door' })
      await firstRow(page).click()
      await dialog(page).getByRole('button', { name: 'Who can open this door' }).click()
      await look(page, dialog(page).getByRole('searchbox'))
      await close(dialog(page))
    })

    await test.step('who can open what', async () => {
      const [door, user] = [await firstId(doors), await firstId(users)]
      await visit(page, `rules/explorer?ask=door&door=${door}`, { view: page.getByRole('searchbox') })
      await visit(page, `rules/explorer?ask=user&user=${user}`, { view: page.getByRole('searchbox') })
      await visit(page, `rules/explorer?door=${door}&user=${user}`, { view: page.getByRole('article') })
    })

    await test.step('who changed what', async () => {
      await visit(page, 'auditLogs/list')
      await openAndLook(page, { opener: firstRow(page), title: 'Entry of the audit log' })
    })

    await test.step('who asks to be let in', async () => {
      await visit(page, 'tasks/list', { view: page.getByRole('main').getByRole('heading', { level: 1 }) })
    })

    await test.step('who has to be recertified', async () => {
      await visit(page, 'recertify/list')
      await openAndLook(page, { opener: firstRow(page) })
    })

    await test.step('why an event came out as it did', async () => {
      await visit(page, 'events/list')
      await firstRow(page).click()
      await look(page, page.getByRole('article'))
      await close(page.getByRole('article'))
    })

    await test.step('one’s own settings, how another signs in, and the outbox', async () => {
      const view = page.getByRole('main').locator('h2, li').first()
      for (const tab of ['profile', 'password', 'mfa', 'sessions']) {
        await visit(page, `users/settings?tab=${tab}`, { view })
      }
      await visit(page, `users/settings?user=${await firstId(users)}`, { view })
      await visit(page, 'outbox', { view })
    })

    await test.step('the user menu and the account switcher', async () => {
      await page.getByRole('button', { name: 'User menu' }).click()
      await look(page, page.getByRole('menu'))
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Switch account' }).click()
      await look(page, page.getByRole('option', { name: 'Quayside Labs' }))
    })

    expect(faults).toEqual([])
    await context.close()
  })
}

async function visit(page: Page, path: string, { view = firstRow(page) } = {}) {
  await page.goto(`${product.url}/harbour-group/${path}`)
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
  await look(page, view)
}

async function firstId(of: typeof doors | typeof users) {
  const { items } = await product.client.of(of).list({ sort: { prop: 'name', dir: 'asc' }, size: 1 })
  return items[0]?._id ?? ''
}

async function openAndLook(page: Page, { opener, title }: { opener: Locator; title?: string }) {
  await opener.click()
  const opened = dialog(page)
  if (title) await expect(opened).toHaveAccessibleName(title)
  await look(page, opened)
  await close(opened)
}

/** A dialog above the one that is open. */
async function lookInto(page: Page, name: string | RegExp) {
  await dialog(page).getByRole('button', { name }).click()
  const upper = page.getByRole('dialog', { name })
  await look(page, upper)
  await close(upper)
}

/** The checks that every view passes, once it is there and stands still. */
async function look(page: Page, view: Locator) {
  await expect(view).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  await standStill(page)
  expect(await violationsOf(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

async function standStill(page: Page) {
  await page.evaluate(async () => {
    const moving = document.getAnimations().filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime))
    await Promise.allSettled(moving.map(({ finished }) => finished))
  })
}

function firstRow(page: Page) {
  return page.getByRole('main').getByRole('row').nth(1).getByRole('button').first()
}

function dialog(page: Page) {
  return page.getByRole('dialog').last()
}

async function close(opened: Locator) {
  // A door that has closed stands in lists of events.
  await opened.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(opened).toBeHidden()
}

function collectFaults(page: Page) {
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
  })
  return faults
}
