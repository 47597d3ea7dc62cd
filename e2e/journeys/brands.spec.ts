import { type Brand, brands } from '@portcullis/contract/brands'
import { expect, type Page, test } from '@playwright/test'
import { openProduct, type Product } from '../open-product.ts'
import { fillIn } from '../sign-in.ts'

let product: Product

test.beforeAll(async () => {
  product = await openProduct()
})
test.afterAll(() => product.stop())

/** Browsers resolve every name below localhost to this computer. */
function urlOf({ key }: Brand) {
  const url = new URL(product.url)
  url.hostname = `${key}.localhost`
  return url.origin
}

for (const brand of Object.values(brands)) {
  for (const scheme of ['light', 'dark'] as const) {
    test(`§1 branding: ${brand.key}.localhost is ${brand.product}, ${scheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme })
      await page.goto(`${urlOf(brand)}/authentication/login`)
      await expect(page).toHaveTitle(`Login - ${brand.product}`)
      await expect(page.getByRole('heading', { level: 1, name: `Sign in to ${brand.product}` })).toBeVisible()
      await expectLogo(page, brand, scheme)
      const icon = await page.locator('link[rel=icon]').getAttribute('href')
      expect(icon).toBe(`/brands/${brand.key}/favicon.svg`)
      expect(await typeOf(page, icon)).toBe('image/svg+xml')

      await page.getByRole('button', { name: 'Accept all' }).click()
      await fillIn(page)
      await expect(page).toHaveTitle(`Sites - ${brand.product}`)
      await expectLogo(page, brand, scheme)
      await expect(page.getByRole('contentinfo')).toContainText(brand.product)
      const here = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sites' })
      await expect(here).toHaveCSS('color', rgb(brand[scheme].accent))
      await expect(page.getByRole('button', { name: 'Add site' }).first()).toHaveCSS(
        'background-color',
        rgb(brand[scheme].accent),
      )

      await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click()
      await expect(page).toHaveTitle(`Privacy Policy - ${brand.product}`)
      await expectLogo(page, brand, scheme)
    })
  }
}

test('§1 branding: name, icon and colour appear before any script runs', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  for (const brand of Object.values(brands)) {
    const answer = await page.goto(`${urlOf(brand)}/authentication/login`)
    expect(answer?.headers()).toMatchObject({ vary: 'Host', 'cache-control': 'no-cache' })
    await expect(page).toHaveTitle(brand.product)
    await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', `/brands/${brand.key}/favicon.svg`)
    await expect(page.locator('meta[name=theme-color]').first()).toHaveAttribute('content', brand.light.accent)
    await page.goto(`${urlOf(brand)}/index.html`)
    await expect(page).toHaveTitle(brand.product)
  }
  await context.close()
})

test('§1 branding: only the brands’ own pictures are served', async ({ request }) => {
  for (const path of [
    '/brands/acme/logo.svg',
    '/brands/acme/logo-light.svg',
    '/brands/nobody/logo.svg',
    '/brands/acme',
  ]) {
    const isThere = path === '/brands/acme/logo.svg'
    expect((await request.get(`${product.url}${path}`)).status(), path).toBe(isThere ? 200 : 404)
  }
})

test('§1 branding: localhost and an unknown host have the default brand', async ({ page }) => {
  const unknown = new URL(product.url)
  unknown.hostname = 'somebody.localhost'
  for (const url of [product.url, unknown.origin]) {
    await page.goto(`${url}/authentication/login`)
    await expect(page).toHaveTitle('Login - Portcullis')
  }
})

async function expectLogo(page: Page, { key, product: name, logos }: Brand, scheme: 'light' | 'dark') {
  const logo = page.getByRole('img', { name })
  const file = logos === 'light' && scheme === 'dark' ? 'logo-light.svg' : 'logo.svg'
  await expect(logo).toBeVisible()
  await expect
    .poll(() =>
      logo.evaluate((image) => (image instanceof HTMLImageElement && image.naturalWidth ? image.currentSrc : '')),
    )
    .toContain(`/brands/${key}/${file}`)
}

/** A file's content type or failed status, requested by the page: only browsers resolve every name below localhost. */
function typeOf(page: Page, path: string | null) {
  return page.evaluate(async (address) => {
    const answer = await fetch(address)
    return answer.ok ? answer.headers.get('content-type') : answer.status
  }, path ?? '')
}

function rgb(colour: string) {
  const [, ...parts] = /^#(..)(..)(..)$/.exec(colour) ?? []
  return `rgb(${parts.map((part) => Number.parseInt(part, 16)).join(', ')})`
}
