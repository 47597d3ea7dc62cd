import { sites } from '@portcullis/contract/collections/sites'
import { expect, test } from '@playwright/test'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole } from '../sign-in.ts'
import { viewsOf, violationsOf } from '../sound.ts'

let product: Product

test.beforeAll(async () => {
  product = await openProduct()
  await product.client.of(sites).create({ name: 'North quay', timeZone: 'Europe/Dublin' })
})
test.afterAll(() => product.stop())

for (const { width, colorScheme } of viewsOf({ narrow: 390 })) {
  test(`§4 parts: every part appears on one page of the console and passes axe (${colorScheme}, ${width} px)`, async ({
    browser,
  }) => {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    await enterConsole(page, { url: product.url, path: '/main/parts' })
    for (const part of ['Tokens', 'Buttons', 'States', 'Fields', 'Pickers', 'Chart', 'Conflict', 'Error', 'Table']) {
      await expect(page.getByRole('region', { name: part, exact: true })).toBeVisible()
    }
    await expect(page.getByText('North quay').first()).toBeVisible()
    await page.getByRole('button', { name: 'Say', exact: true }).click()
    expect(await violationsOf(page)).toEqual([])
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overhang).toBeLessThanOrEqual(0)
    expect(faults).toEqual([])
    await context.close()
  })
}
