import { readFile } from 'node:fs/promises'
import { users } from '@portcullis/contract/collections/users'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'

/** List features that need a server, a layout or the browser's storage, tested on the users of an account. */
let product: Product
let context: BrowserContext
let page: Page

const people = [
  ['Amahle Zulu', 'Dock, warehouse'],
  ['Bongani Sithole', 'Dock, warehouse'],
  ['Carla Ferreira', 'Dock, operations'],
  ['Devan Pillay', 'Dock, office'],
  ['Esther Banda', 'Dock, office'],
] as const

test.beforeAll(async ({ browser }) => {
  product = await openProduct()
  for (const [name, title] of people) await product.client.of(users).create({ name, title })
  context = await browser.newContext({ acceptDownloads: true })
  page = await context.newPage()
  await enterConsole(page, { url: product.url })
})
test.afterAll(async () => {
  await context.close()
  await product.stop()
})

test('§4 lists: the query of a list is in its URL, and Back restores earlier ones', async () => {
  await open('users/list?title=dock')
  await page.getByRole('button', { name: 'Status any' }).click()
  await page.getByRole('checkbox', { name: 'Suspended' }).check()
  await expect(page).toHaveURL(/status=suspended/)
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove filter Status' }).click()
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=title/)
  await expect(names()).toHaveText([/Devan/, /Esther/, /Carla/, /Amahle/, /Bongani/])
  await page.getByRole('searchbox').fill('warehouse')
  await expect(names()).toHaveText([/Amahle/, /Bongani/])
  await page.reload()
  await expect(names()).toHaveText([/Amahle/, /Bongani/])
  await expect(page.getByRole('searchbox')).toHaveValue('warehouse')
  await page.goBack()
  await expect(page).not.toHaveURL(/sort=/)
  await expect(names()).toHaveText(people.map(([name]) => new RegExp(name)))
})

test('§4 columns: they are reordered by dragging, and the server stores them for the user', async () => {
  await open('users/list')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Added' }).check()
  await dragTo({ handle: 'Move Added', above: 'Move Title' })
  await expect(heads()).toHaveText(['', 'Name', 'Added', 'Title', 'Role', 'Groups', 'Status', 'Valid until'])
  const savedColumns = async () => (await product.client.savedViews.list('users')).columns?.join()
  await expect.poll(savedColumns).toBe('name,createdAt,title,role,groups,status,validUntil')
  await open('users/list')
  await expect(heads()).toHaveText(['', 'Name', 'Added', 'Title', 'Role', 'Groups', 'Status', 'Valid until'])
  await product.client.savedViews.rememberColumns({ list: 'users', columns: null })
})

test('§4 columns: if they scroll sideways, the cell that stays has the colour of its selected row', async () => {
  const size = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.setViewportSize({ ...size, width: 940 })
  await open('users/list')
  await expect(page.locator('[data-wide]')).toBeVisible()
  await box(1).check()
  const grounds = await rows()
    .first()
    .getByRole('cell')
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).backgroundColor))
  expect(new Set(grounds)).toHaveProperty('size', 1)
  await box(1).uncheck()
  await page.setViewportSize(size)
})

test('§4 bulk: an action on many rows can be undone', async () => {
  const { client } = product
  const results = dialog().getByRole('list', { name: 'Results' }).getByRole('listitem')
  for (const name of ['Palesa Motaung', 'Thabo Mokoena']) await client.of(users).create({ name, title: 'Guards' })
  await open('users/list?title=guards')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Suspend' }).click()
  await dialog().getByRole('button', { name: 'Suspend' }).click()
  await dialog().getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('cell', { name: 'Suspended' })).toHaveCount(2)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await expect(results).toHaveText([/Done/, /Done/])
  expect((await client.of(users).list({ filter: { title: 'Guards' } })).items).toEqual([])
  await dialog().getByRole('button', { name: 'Undo 2' }).click()
  await expect(dialog()).toHaveAccessibleName('Undoing Delete: 2')
  await expect(results).toHaveText([/Done/, /Done/])
  await dialog().getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('cell', { name: 'Suspended' })).toHaveCount(2)
  expect((await client.of(users).list({ filter: { title: 'Guards' } })).items).toHaveLength(2)
})

test('§4 export as seen: the file has the rows, order, columns and headings on screen', async () => {
  await open('users/list?title=dock%2C+office&sort=-name&columns=name%2Ctitle%2Crole')
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^users-main-\d{4}-\d\d-\d\d\.csv$/)
  const text = await readFile(await download.path(), 'utf8')
  const lines = text
    .replace(/^\uFEFF/, '')
    .trim()
    .split('\r\n')
  expect(lines).toEqual([
    'Name,Email,Title,Role',
    'Esther Banda,,"Dock, office",App user',
    'Devan Pillay,,"Dock, office",App user',
  ])
  await expect(page.getByText('Exported Users')).toBeVisible()

  const files = /\/api\/users\/export$/
  await page.route(files, (route) => route.abort())
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Excel' }).click()
  await expect(page.getByText('Users was not exported')).toBeVisible()
  await page.unroute(files)
  const [again] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Retry' }).click(),
  ])
  expect(again.suggestedFilename()).toMatch(/\.xlsx$/)
})

test('§4 live rows: a new row appears in its sorted place, or waits while rows are selected', async () => {
  const { client } = product
  await open('users/list?title=kitchen')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  const first = await client.of(users).create({ name: 'Nomsa Dlamini', title: 'Kitchen' })
  await expect(names()).toHaveText([/Nomsa/])
  await client.of(users).create({ name: 'Not of the kitchen', title: 'Garden' })
  await client.of(users).create({ name: 'Lerato Khumalo', title: 'Kitchen' })
  await expect(names()).toHaveText([/Lerato/, /Nomsa/])

  await box(2).check()
  await client.of(users).create({ name: 'Johan Botha', title: 'Kitchen' })
  await expect(page.getByText('Paused, 1 new')).toBeVisible()
  await expect(names()).toHaveText([/Lerato/, /Nomsa/])
  await client.of(users).patch(first._id, { title: 'Kitchen, head' })
  await expect(rows().nth(1)).toContainText('Kitchen, head')
  await client.of(users).remove(first._id)
  await expect(rows().nth(1)).toContainText('Removed')
  await page.getByRole('button', { name: 'Show 1 new' }).click()
  await expect(names()).toHaveText([/Johan/, /Lerato/])
})

test('§4 tabs: Access Events and the Audit Log link to each other, also on a phone', async () => {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 720 })
    await open('events/list')
    await page.getByRole('link', { name: 'Audit Log', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Audit Log' })).toBeVisible()
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Access Events' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  }
})

test('§4 speed: a page of up to 500 rows draws those near the viewport, and keys reach all', async () => {
  const { client } = product
  const many = Array.from({ length: 100 }, (_, index) => `Visitor ${String(index).padStart(3, '0')}`)
  for (let at = 0; at < many.length; at += 10) {
    await Promise.all(many.slice(at, at + 10).map((name) => client.of(users).create({ name, title: 'Visitor' })))
  }
  await open('users/list?title=visitor&size=500')
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '101')
  expect(await rows().count()).toBeLessThan(70)
  const opener = (name: string) => page.getByRole('button', { name, exact: true })
  await opener('Visitor 000').focus()
  await page.keyboard.press('ArrowDown')
  await expect(opener('Visitor 001')).toBeFocused()
  await page.keyboard.press('End')
  await expect(opener('Visitor 099')).toBeFocused()
  await expect(opener('Visitor 099')).toBeInViewport()
  await page.keyboard.press('Space')
  await expect(page.getByRole('region', { name: '1 selected' })).toBeVisible()
  await page.keyboard.press('Home')
  await expect(opener('Visitor 000')).toBeFocused()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  await page.keyboard.press('Enter')
  await expect(dialog()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog()).toBeHidden()
  await expect(opener('Visitor 000')).toBeFocused()

  await page.evaluate(() => window.scrollTo(0, 2_000))
  await expect(opener('Visitor 050')).toBeInViewport()
  await page.getByRole('link', { name: 'Controllers' }).click()
  await expect(page.getByRole('heading', { name: 'No controllers yet' })).toBeVisible()
  await page.goBack()
  await expect(opener('Visitor 050')).toBeInViewport()
})

test('§4 phone: cards, filters in a sheet, and no horizontal scrolling', async ({ browser }) => {
  const titled = { title: 'Cleaner', status: 'suspended' } as const
  for (const name of ['Dineo Tau', 'Gloria Makhanya']) await product.client.of(users).create({ name, ...titled })
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    storageState: await context.storageState(),
  })
  const small = await phone.newPage()
  await small.goto(`${product.url}/main/users/list?title=cleaner`)
  await expect(small.getByRole('row').nth(1)).toBeVisible()
  await small.getByRole('button', { name: 'Filters' }).tap()
  await small.getByRole('dialog').getByRole('checkbox', { name: 'Suspended' }).tap()
  await small.getByRole('dialog').getByRole('button', { name: 'Show 2 rows' }).tap()
  await expect(small.getByRole('button', { name: 'Filters, 2 set' })).toBeVisible()
  await expect(small.getByRole('row')).toHaveCount(3)
  const tooSmall = await small
    .getByRole('main')
    .evaluate((main) =>
      [...main.querySelectorAll('button, [role=checkbox]')]
        .map((each) => ({ name: each.textContent, height: each.getBoundingClientRect().height }))
        .filter(({ height }) => height > 0 && height < 24),
    )
  expect(tooSmall).toEqual([])
  expect(await small.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await phone.close()
})

async function open(path: string) {
  await page.goto(`${product.url}/main/${path}`)
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
}

async function dragTo({ handle, above }: { handle: string; above: string }) {
  const target = await page.getByRole('button', { name: above }).boundingBox()
  await page.getByRole('button', { name: handle }).hover()
  await page.mouse.down()
  await page.mouse.move((target?.x ?? 0) + 5, (target?.y ?? 0) + 5, { steps: 8 })
  await page.mouse.up()
}

function rows() {
  return page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
}

function names() {
  return page.locator('[data-row-opener]')
}

function heads() {
  return page.getByRole('columnheader')
}

function box(row: number) {
  return rows()
    .nth(row - 1)
    .getByRole('checkbox')
}

function dialog() {
  return page.getByRole('dialog').last()
}
