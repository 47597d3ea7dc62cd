import { doors } from '@portcullis/contract/collections/doors'
import { users } from '@portcullis/contract/collections/users'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { children } from '../console-map.ts'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { expectSound, show, viewsOf } from '../sound.ts'

/**
 * Every screen with its drawers and dialogs, in both schemes and widths: no errors, no horizontal scrolling and no axe
 * violations.
 */
const lists = {
  'places and controllers': [
    { path: 'sites/groups', add: 'Add site group' },
    { path: 'sites/doorGroups', add: 'Add door group' },
    { path: 'units/list', add: 'Add controller' },
  ],
  'access control': [
    { path: 'rules/list', add: 'Add rule' },
    { path: 'rules/schedules', add: 'Add schedule' },
    { path: 'rules/holidays', add: 'Add holiday' },
    { path: 'rules/adhoc', add: 'Grant temporary access' },
  ],
  'users and accounts': [
    { path: 'users/list', add: 'Add user' },
    { path: 'users/groups', add: 'Add group' },
    { path: 'users/cards', add: 'Add a range of cards' },
    { path: 'users/cardFormats', add: 'Add card format' },
    { path: 'incidentReports/list', add: 'Add incident report' },
    { path: 'contacts/list', add: 'Add contact' },
    { path: 'tenant/list', add: 'Add identity provider' },
    { path: 'account/list', add: 'Add account' },
  ],
}

let product: Product

test.beforeAll(async () => {
  product = await openProduct('demonstration')
})
test.afterAll(() => product.stop())

// Parallel, because the tests change nothing.
test.describe.configure({ mode: 'parallel' })

test.describe('every screen of the demonstration and its dialogs pass, wide and narrow, light and dark', () => {
  let faults: string[]

  test.beforeEach(async ({ page }) => {
    faults = collectFaults(page)
    await enterConsole(page, { url: product.url, path: '/harbour-group/users/settings' })
    await expect(page).toHaveTitle('User settings - Portcullis')
  })
  test.afterEach(() => expect(faults).toEqual([]))

  for (const [area, screens] of Object.entries(lists)) {
    test(`lists: ${area}`, async ({ page }) => {
      for (const { path, add } of screens) {
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
    })
  }

  test('the dashboard, a site, its form and its doors', async ({ page }) => {
    await visit(page, 'dashboard', { view: page.getByRole('figure', { name: 'Access granted, by hour' }) })
    await visit(page, 'sites/map', { view: page.getByRole('group', { name: /^Map of sites/ }) })
    await visit(page, 'sites/list')
    await openAndLook(page, { opener: page.getByRole('button', { name: 'Add site' }), title: 'Add site' })
    await firstRow(page).click()
    // The list's rows stay until the site is open.
    await expect(page.getByRole('button', { name: 'Edit site' })).toBeVisible()
    await look(page, firstRow(page))
    await openAndLook(page, { opener: page.getByRole('button', { name: 'Edit site' }) })
    await openAndLook(page, { opener: page.getByRole('button', { name: 'Add door' }), title: 'Add door' })
    await firstRow(page).click()
    await dialog(page).getByRole('button', { name: 'Who can open this door' }).click()
    await look(page, dialog(page).getByRole('searchbox'))
    await close(dialog(page))
  })

  test('the explorer by door, by user and for one decision', async ({ page }) => {
    const [door, user] = [await firstId(doors), await firstId(users)]
    await visit(page, 'rules/list?by=user', { view: page.getByRole('link', { name: /^\d+ doors?$/ }).first() })
    await visit(page, 'rules/list?by=door', { view: page.getByRole('link', { name: /^\d+ users?$/ }).first() })
    await visit(page, 'rules/matrix', { view: page.getByRole('grid') })
    await visit(page, 'rules/review', { view: page.getByRole('button', { name: 'Review again' }) })
    await visit(page, `rules/explorer?ask=door&door=${door}`, { view: page.getByRole('searchbox') })
    await visit(page, `rules/explorer?ask=user&user=${user}`, { view: page.getByRole('searchbox') })
    await visit(page, `rules/explorer?door=${door}&user=${user}`, { view: page.getByRole('article') })
  })

  test('the lockdown plans and the lockdowns', async ({ page }) => {
    await visit(page, 'rules/lockdownPlans')
    await openAndLook(page, {
      opener: page.getByRole('button', { name: 'Add lockdown plan' }),
      title: 'Add lockdown plan',
    })
    await openAndLook(page, { opener: firstRow(page) })
    await visit(page, 'rules/lockdowns', { view: page.getByRole('main').getByRole('heading', { level: 2 }).first() })
  })

  test('the audit log, requests, recertification and the reason of an event', async ({ page }) => {
    await visit(page, 'auditLogs/list')
    await openAndLook(page, { opener: firstRow(page), title: 'Audit log entry' })
    await visit(page, 'tasks/list', { view: page.getByRole('main').getByRole('heading', { level: 1 }) })
    await visit(page, 'recertify/list')
    await openAndLook(page, { opener: firstRow(page) })
    await visit(page, 'events/list')
    await firstRow(page).click()
    await look(page, page.getByRole('article'))
    await close(page.getByRole('article'))
  })

  test('the user’s own settings, another user’s, the outbox and the menus', async ({ page }) => {
    const view = page.getByRole('main').locator('h2, li').first()
    for (const tab of ['profile', 'password', 'mfa', 'sessions']) {
      await visit(page, `users/settings?tab=${tab}`, { view })
    }
    await visit(page, `users/settings?user=${await firstId(users)}`, { view })
    await visit(page, 'outbox', { view })
    await page.getByRole('button', { name: 'User menu' }).click()
    await look(page, page.getByRole('menu'))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Switch account' }).click()
    await look(page, page.getByRole('option', { name: 'Quayside Labs' }))
  })
})

/** Loads a screen from its URL. */
async function visit(page: Page, path: string, { view = firstRow(page) } = {}) {
  await page.goto(`${product.url}/harbour-group/${path}`)
  const title = children.find(({ paths }) => paths.includes(path))?.title
  if (title !== undefined) await expect(page).toHaveTitle(`${title} - Portcullis`)
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

/** Opens a dialog above the open one, checks it and closes it. */
async function lookInto(page: Page, name: string | RegExp) {
  await dialog(page).getByRole('button', { name }).click()
  const upper = page.getByRole('dialog', { name })
  await look(page, upper)
  await close(upper)
}

/**
 * The checks that every view passes once it is visible, loaded and without moving parts. Under a dialog lies a screen that
 * has passed, so axe checks only the dialog: in half the time.
 */
async function look(page: Page, view: Locator) {
  const within = (await dialog(page).count()) > 0 ? '[role=dialog]' : undefined
  for (const form of viewsOf({ narrow: 390 })) {
    await show(page, form)
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', form.colorScheme)
    await expect(view).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await waitUntilStill(page)
    await expectSound(page, { within })
  }
}

async function waitUntilStill(page: Page) {
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
  // Exact, because rows of door events also contain "closed".
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
