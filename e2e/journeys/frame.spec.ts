import { type AbilityRule, hyperRules, roles, rulesOfRole } from '@portcullis/contract/abilities'
import { accounts } from '@portcullis/contract/collections/accounts'
import { users } from '@portcullis/contract/collections/users'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { childOfEachGate, children, landingFor, sidebarFor } from '../console-map.ts'
import { addConfirmedUser } from '../people.ts'
import { administrator } from '../administrator.ts'
import { openProduct, type Product } from '../open-product.ts'
import { fillIn, signInByCall } from '../sign-in.ts'

// Parallel, because no test depends on the data of another.
test.describe.configure({ mode: 'parallel' })

let product: Product

test.beforeAll(async () => {
  product = await openProduct()
})
test.afterAll(() => product.stop())

test('§2 routes: for every role, each path leads where its gate says, and the sidebar shows the permitted entries', async ({
  browser,
}) => {
  const people: { name: string; rules: readonly AbilityRule[]; email: string; password: string }[] = [
    { name: 'hyper', rules: hyperRules, ...administrator },
  ]
  for (const role of roles) {
    const person = await addConfirmedUser(product, { name: role, email: `${role.toLowerCase()}@gates.example`, role })
    people.push({ ...person, rules: rulesOfRole(role) })
  }

  for (const { name, rules, ...credentials } of people) {
    await test.step(name, async () => {
      const page = await open(browser, credentials)
      await page.goto(`${product.url}/main/users/settings`)
      await expect(page).toHaveTitle('User settings - Portcullis')
      const navigation = page.getByRole('navigation', { name: 'Main' })
      await expect.poll(() => navigation.locator('a, button').allTextContents()).toEqual(sidebarFor(rules))
      // The roles with all and with no rights try every path, the others one behind each gate.
      const isWhole = name === 'hyper' || name === 'appUser'
      for (const { paths, ...child } of isWhole ? children : childOfEachGate) {
        for (const path of isWhole ? paths : paths.slice(-1)) {
          const landing = landingFor(rules, { path, ...child })
          await goInside(page, `/main/${path}`)
          await expect
            .poll(() => placeOf(page), { message: `${name} at ${path}`, intervals: [20, 50, 100, 250] })
            .toEqual([`/main/${landing.path}`, `${landing.title} - Portcullis`])
        }
      }
      await page.context().close()
    })
  }
})

test('§2 routes: empty, unknown and out-of-scope paths lead home, an _id to the ref, without a redirect loop', async ({
  browser,
}) => {
  const { _id } = await product.client.of(accounts).create({ name: 'Branch', ref: 'branch' }, { account: 'main' })
  const page = await open(browser, administrator)
  for (const [from, to] of [
    ['/', '/main/sites'],
    ['/nowhere', '/main/sites'],
    ['/nobodys-account/units/list', '/main/sites'],
    ['/branch', '/branch/sites'],
    ['/branch/nowhere', '/main/sites'],
    [`/${_id.toUpperCase()}/units/list?q=lobby`, '/branch/units/list?q=lobby'],
    ['/null/units/list?q=lobby', '/main/units/list?q=lobby'],
    ['/no-account', '/main/sites'],
  ] as const) {
    await page.goto(`${product.url}${from}`)
    await expect(page, from).toHaveURL(`${product.url}${to}`)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 }), from).toBeVisible()
  }
  await page.context().close()

  const holder = await addConfirmedUser(product, { name: 'App user', email: 'holder@gates.example', role: 'appUser' })
  const shutOut = await open(browser, holder)
  await shutOut.goto(product.url)
  await expect(shutOut).toHaveURL(`${product.url}/main/events/list`)
  const main = shutOut.getByRole('main')
  await expect(main.getByRole('heading', { name: 'You don’t have access to anything here' })).toBeVisible()
  await expect(main.getByRole('button', { name: 'Log Out' })).toBeVisible()
  await main.getByRole('link', { name: 'Your settings' }).click()
  await expect(shutOut).toHaveTitle('User settings - Portcullis')

  await shutOut.context().close()

  const member = { name: 'Member', email: 'member@gates.example', role: 'admin', account: 'branch' } as const
  const anotherUser = await addConfirmedUser(product, member)
  const nowhere = await open(browser, anotherUser)
  await nowhere.goto(product.url)
  await expect(nowhere).toHaveURL(`${product.url}/branch/sites`)
  const over = { validFrom: '2020-01-01T00:00:00Z', validUntil: '2020-12-31T00:00:00Z' }
  await product.client.of(users).patch(anotherUser._id, over, { account: 'branch' })
  await nowhere.goto(`${product.url}/branch/units`)
  await expect(nowhere).toHaveURL(`${product.url}/no-account`)
  await nowhere.getByRole('button', { name: 'Log Out' }).click()
  await expect(nowhere).toHaveURL(/\/authentication\/login/)
  await nowhere.context().close()
})

test('§2 sidebar: collapsed to icons, groups closed, both remembered; a drawer on small screens', async ({
  browser,
}) => {
  const page = await open(browser, administrator)
  await page.goto(`${product.url}/main/sites`)
  const banner = page.getByRole('banner')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  const entry = (name: string) => navigation.getByRole('link', { name, exact: true })

  await test.step('collapsed to icons and expanded again', async () => {
    await banner.getByRole('button', { name: 'Collapse navigation' }).press('Enter')
    await expect(entry('Sites')).toHaveAttribute('aria-current', 'page')
    await expect.poll(async () => (await navigation.boundingBox())?.width).toBeLessThan(64)
    await expect(banner.getByRole('img', { name: 'Portcullis' })).toHaveAttribute('src', /icon\.svg$/)
    await entry('Controllers').hover()
    await expect(page.getByRole('tooltip', { name: 'Controllers' })).toBeVisible()
    await page.reload()
    await banner.getByRole('button', { name: 'Expand navigation' }).click()
    await expect(banner.getByRole('img', { name: 'Portcullis' })).toHaveAttribute('src', /logo.*\.svg$/)
  })

  await test.step('a group is closed; the entry of the open screen stays', async () => {
    await navigation.getByRole('button', { name: 'Access Control' }).click()
    await expect(entry('Manage Schedules')).toHaveCount(0)
    await page.goto(`${product.url}/main/rules/list`)
    await expect(entry('Manage Access')).toBeVisible()
    await expect(entry('Manage Schedules')).toHaveCount(0)
    await navigation.getByRole('button', { name: 'Access Control' }).click()
    await expect(entry('Manage Schedules')).toBeVisible()
  })

  await test.step('the content of the top bar and the footer', async () => {
    await banner.getByRole('button', { name: 'User menu' }).click()
    await expect(page.getByRole('menuitem')).toHaveText([
      'My profile',
      'User settings',
      'Email outbox',
      'Lock screen',
      'Log Out',
    ])
    await page.keyboard.press('Escape')
    await expect(banner.getByRole('button', { name: 'Notifications' })).toBeVisible()
    const footer = page.getByRole('contentinfo')
    await expect(footer).toContainText(/^Portcullis \d+\.\d+\.\d+/)
    await expect(footer.getByRole('link')).toHaveText([
      'Contact',
      'EULA',
      'Privacy Policy',
      'Terms & Conditions',
      'Disclaimer',
    ])
  })

  await test.step('a drawer on small screens, closed by following a link', async () => {
    await page.setViewportSize({ width: 360, height: 780 })
    await page.getByRole('button', { name: 'Open navigation' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('link', { name: 'Controllers' }).press('Enter')
    await expect(page).toHaveTitle('Controllers - Portcullis')
    await expect(drawer).toBeHidden()
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page.getByRole('status').filter({ hasText: 'Controllers - Portcullis' })).toBeAttached()
    await page.goBack()
    await expect(page).toHaveTitle('Manage Access - Portcullis')
    await expect(drawer).toBeHidden()
  })
  await page.context().close()
})

test('§2 routes: a link keeps its filters, page and open drawer through the login, and Back keeps the scroll position', async ({
  browser,
}) => {
  const people = product.client.of(users)
  const made = await Promise.all(Array.from({ length: 90 }, (_, at) => people.create({ name: `Docker ${100 + at}` })))
  const context = await browser.newContext()
  const page = await context.newPage()
  const link = `${product.url}/main/users/list?q=docker&size=50&page=2&open=${made[0]?._id}`
  await page.goto(link)
  await expect(page).toHaveURL(/\/authentication\/login\?returnUrl=/)
  await page.getByRole('button', { name: 'Accept all' }).click()
  await fillIn(page)
  await expect(page).toHaveURL(link)
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Docker 100')
  await drawer.getByRole('button', { name: 'Close' }).click()

  const list = `${product.url}/main/users/list?q=docker&size=100`
  await page.goto(list)
  const row = page.getByRole('row', { name: /Docker 160/ })
  // Rows are drawn as they scroll near the viewport.
  await expect(async () => {
    await page.mouse.wheel(0, 400)
    await expect(row).toBeInViewport({ timeout: 200 })
  }).toPass()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contacts' }).click()
  await expect(page).toHaveTitle('Contacts - Portcullis')
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  await page.goBack()
  await expect(page).toHaveURL(list)
  await expect(row).toBeInViewport()
  await page.reload()
  await expect(row).toBeInViewport()
  await page.goForward()
  await expect(page).toHaveTitle('Contacts - Portcullis')
  await page.goBack()
  await expect(page).toHaveURL(list)
  await expect(row).toBeInViewport()
  await context.close()
})

async function open(browser: Browser, credentials: { email: string; password: string }) {
  const context = await browser.newContext()
  await signInByCall(context, { url: product.url, ...credentials })
  return context.newPage()
}

/** Opens a path as a link of the console does, without loading the page again. */
function goInside(page: Page, path: string) {
  return page.evaluate((to) => history.pushState(null, '', to), path)
}

function placeOf(page: Page) {
  return page.evaluate(() => [location.pathname, document.title])
}
