import { expect, type Locator, test } from '@playwright/test'
import { openProduct, type Product } from '../open-product.ts'
import { violationsOf } from '../sound.ts'

let product: Product

test.beforeAll(async () => {
  product = await openProduct()
})
test.afterAll(() => product.stop())

/** Scalar's input for a cookie's value: the one axe violation that its settings cannot fix. */
const ownOfScalar = 'aria-required-attr: .code-input-lite__editor'

for (const { width, colorScheme } of [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const) {
  test(`the API reference is readable without signing in and contacts no other server, at ${width} px, ${colorScheme}`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    const page = await context.newPage()
    const faults: string[] = []
    const origins = new Set<string>()
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('request', (request) => origins.add(new URL(request.url()).origin))
    await page.goto(`${product.url}/api/docs#tag/doors/PATCH/api/doors/{id}`)
    const heading = page.getByRole('heading', { name: 'Change an item of doors' })
    await expect(heading).toBeVisible()
    await expect(page.getByText('relockAfterSeconds').first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await waitForColoursOf(heading)
    expect(await violationsOf(page)).toEqual([ownOfScalar])
    expect(faults).toEqual([])
    expect([...origins]).toEqual([product.url])
    await context.close()
  })
}

/** Waits until Scalar has replaced the light-theme colours in which it first draws the descriptions of responses. */
const waitForColoursOf = async (heading: Locator) => {
  const colour = await heading.evaluate((element) => getComputedStyle(element).color)
  await heading.page().waitForFunction((colour) => {
    const descriptions = [...document.querySelectorAll('.response-description-markdown p')]
    return descriptions.length > 0 && descriptions.every((each) => getComputedStyle(each).color === colour)
  }, colour)
}
