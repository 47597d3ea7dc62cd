import { expect, type Page, test } from '@playwright/test'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole, signIn } from '../sign-in.ts'
import { views, violationsOf } from '../sound.ts'

let product: Product

test.beforeAll(async () => {
  product = await openProduct()
})
test.afterAll(() => product.stop())

const policies = [
  { path: '/assets/policy/eula', title: 'End User License Agreement', updated: 'March 14, 2025', fact: /100 USD/ },
  { path: '/assets/policy/privacy', title: 'Privacy Policy', updated: 'June 24, 2021', fact: /Sign-in history/ },
  { path: '/assets/policy/terms', title: 'Terms and Conditions', updated: 'June 29, 2021', fact: /within 14 days/ },
  { path: '/assets/policy/disclaimer', title: 'Disclaimer', updated: 'June 29, 2021', fact: /100 USD/ },
] as const

for (const { path, title, updated, fact } of policies) {
  test.describe(`§1 ${title}`, () => {
    test.describe('without scripts', () => {
      test.use({ javaScriptEnabled: false })

      test('is readable without signing in, with links to the others and back', async ({ page }) => {
        await page.goto(`${product.url}${path}`)
        await expect(page).toHaveTitle(`${title} - Portcullis`)
        await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
        await expect(page.getByText(`Last updated ${updated}`)).toBeVisible()
        await expect(page.getByRole('main')).toContainText('based in South Africa')
        await expect(page.getByRole('main')).toContainText(fact)
        for (const other of policies.filter((policy) => policy.path !== path)) {
          await page.getByRole('navigation').getByRole('link', { name: other.title }).click()
          await expect(page.getByRole('heading', { level: 1, name: other.title })).toBeVisible()
        }
        await expect(page.getByRole('link', { name: 'Back to Portcullis' })).toHaveAttribute('href', '/')
      })
    })

    test('fits and passes axe, light and dark, at 360 and 1440 px', async ({ page }) => {
      for (const { width, colorScheme } of views) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        await page.goto(`${product.url}${path}`)
        await expect(page.getByRole('img', { name: 'Portcullis' })).toBeVisible()
        expect(await isDrawn(page), `${colorScheme} ${width}`).toBe(true)
        expect(await violationsOf(page), `${colorScheme} ${width}`).toEqual([])
        expect(await scrolls(page), `${colorScheme} ${width}`).toMatchObject({ sideways: 0 })
      }
    })

    test('prints its text only, black on white', async ({ page }) => {
      await page.goto(`${product.url}${path}`)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('navigation')).toBeHidden()
      await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
      await expect(page.locator('body')).toHaveCSS('color', 'rgb(0, 0, 0)')
    })
  })
}

test('§2 footer: product name, version, Contact, EULA, Privacy Policy, Terms & Conditions and Disclaimer', async ({
  page,
}) => {
  await enterConsole(page, { url: product.url })
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText(/Portcullis \d+\.\d+\.\d+/)
  await expect(footer.getByRole('link', { name: 'Contact' })).toHaveAttribute('href', /^mailto:/)
  for (const [name, title] of [
    ['EULA', 'End User License Agreement'],
    ['Privacy Policy', 'Privacy Policy'],
    ['Terms & Conditions', 'Terms and Conditions'],
    ['Disclaimer', 'Disclaimer'],
  ] as const) {
    await footer.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await page.getByRole('link', { name: 'Back to Portcullis' }).click()
    await expect(page).toHaveURL(/\/main\/sites/)
  }
})

test.describe('in Spanish', () => {
  test.use({ locale: 'es-ES' })

  test('the console opens the legal pages in its own language, and each page has a link to the other', async ({
    page,
  }) => {
    await enterConsole(page, { url: product.url })
    await page.getByRole('contentinfo').getByRole('link', { name: 'Términos y condiciones' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Términos y condiciones' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'es')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'English' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Terms and Conditions' })).toBeVisible()
    await page.getByRole('navigation').getByRole('link', { name: 'Disclaimer' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Disclaimer' })).toBeVisible()
  })
})

test.describe('§2 cookie banner', () => {
  test('links to the privacy policy, and the answer is remembered', async ({ page }) => {
    await page.goto(`${product.url}/authentication/login`)
    const banner = page.getByRole('region', { name: 'Cookies' })
    await banner.getByRole('link', { name: 'Privacy Policy' }).click()
    await expect(page).toHaveTitle('Privacy Policy - Portcullis')
    await page.goBack()
    await banner.getByRole('button', { name: 'Essential only' }).click()
    await expect(banner).toBeHidden()
    await page.reload()
    await expect(page.getByLabel('Email')).toBeVisible()
    await expect(banner).toBeHidden()
  })

  test('stores nothing in the browser and sets no cookie before an answer', async ({ page }) => {
    await page.goto(`${product.url}/authentication/login`)
    await expect(page.getByRole('region', { name: 'Cookies' })).toBeVisible()
    expect(await page.context().cookies()).toEqual([])
    expect(await storedKeys(page)).toEqual([])
  })

  test('recent choices are stored only with consent, and removed when it is withdrawn', async ({ page }) => {
    await signIn(page, product.url)
    await expect(page.getByRole('heading', { level: 1, name: 'Sites' })).toBeVisible()
    await goThroughPalette(page, 'Contacts')
    expect(await storedKeys(page)).toContain('palette:main')

    await page.getByRole('contentinfo').getByRole('button', { name: 'Cookies' }).click()
    await page.getByRole('button', { name: 'Essential only' }).click()
    await expect(page.getByRole('region', { name: 'Cookies' })).toBeHidden()
    expect(await storedKeys(page)).not.toContain('palette:main')

    await goThroughPalette(page, 'Controllers')
    expect(await storedKeys(page)).not.toContain('palette:main')
  })

  for (const { width, height } of [
    { width: 360, height: 640 },
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    test(`covers no field or button, does not trap focus, and makes no page scroll at ${width}x${height}`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height })
      await page.goto(`${product.url}/authentication/login`)
      const banner = page.getByRole('region', { name: 'Cookies' })
      await expect(banner).toBeVisible()
      await expect(page.getByLabel('Email')).toBeFocused()
      const top = (await banner.boundingBox())?.y ?? 0
      for (const part of [
        page.getByLabel('Email'),
        page.getByRole('button', { name: 'Sign In' }),
        page.getByRole('link', { name: 'Forgot password' }),
      ]) {
        const box = await part.boundingBox()
        expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)).toBeLessThanOrEqual(top)
      }
      expect(await scrolls(page)).toEqual({ sideways: 0, down: 0 })
      // The last button of the page: Tab moves the focus out of the page.
      await banner.getByRole('button', { name: 'Accept all' }).focus()
      await page.keyboard.press('Tab')
      await expect(banner.getByRole('button', { name: 'Accept all' })).not.toBeFocused()
    })
  }
})

async function goThroughPalette(page: Page, screen: string) {
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type(screen)
  await expect(page.getByRole('option', { selected: true })).toHaveText(new RegExp(screen))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: screen })).toBeVisible()
}

function storedKeys(page: Page) {
  return page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
}

/** By how many pixels the page scrolls. */
function scrolls(page: Page) {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement
    return { sideways: scrollWidth - clientWidth, down: scrollHeight - clientHeight }
  })
}

function isDrawn(page: Page) {
  return page.evaluate(() => [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0))
}
