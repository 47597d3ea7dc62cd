import { expect, test } from '@playwright/test'
import { openProduct, type Product } from '../open-product.ts'
import { violationsOf } from '../sound.ts'

let product: Product

test.beforeAll(async () => {
  product = await openProduct()
})
test.afterAll(() => product.stop())

for (const { width, colorScheme } of [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const) {
  test(`a programmer finds a call and reads it without signing in, at ${width} px, ${colorScheme}`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    await page.goto(`${product.url}/api/docs`)
    await page.getByLabel('Search the calls').fill('patch doors')
    await expect(page.getByRole('status')).toHaveText('1 call')
    await page.locator('#patch-doors > summary').press('Enter')
    await expect(page.getByRole('cell', { name: 'relockAfterSeconds' }).first()).toBeVisible()
    await expect(page.getByRole('cell', { name: 'not_found' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(await violationsOf(page)).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })
}
