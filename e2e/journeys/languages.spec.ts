import { askAtDoor } from '@portcullis/contract/calls/remote-access'
import { doors } from '@portcullis/contract/collections/doors'
import { users } from '@portcullis/contract/collections/users'
import { languages } from '@portcullis/contract/languages'
import { expect, type Page, test } from '@playwright/test'
import { codeOf, wrongCode } from '../authenticator.ts'
import { changeRows } from '../change-rows.ts'
import { children } from '../console-map.ts'
import { openProduct, type Product } from '../open-product.ts'
import { enterConsole, fillIn } from '../sign-in.ts'
import { show, viewsOf, violationsOf } from '../sound.ts'

let product: Product

test.beforeAll(async () => {
  product = await openProduct('demonstration')
})
test.afterAll(() => product.stop())

/** Screens with a button for a new item, whose drawer has the most texts. */
const drawers = [
  'sites/list',
  'sites/groups',
  'sites/doorGroups',
  'units/list',
  'rules/list',
  'rules/schedules',
  'rules/adhoc',
  'rules/holidays',
  'users/list',
  'users/groups',
  'users/cardFormats',
  'incidentReports/list',
  'contacts/list',
  'account/list',
  'tenant/list',
]

/** Screens whose rows open details that a new item does not have. */
const details = ['events/list', 'auditLogs/list', 'units/list', 'users/list', 'rules/list']

/** Dialogs and menus that open over every screen. */
const overlays = {
  'the command palette': (page: Page) => page.keyboard.press('Control+k'),
  'the keyboard shortcuts': (page: Page) => page.keyboard.press('?'),
  'the account switcher': (page: Page) => page.getByRole('button', { name: '⟦Switch account⟧' }).click(),
  'the user menu': (page: Page) => page.getByRole('button', { name: '⟦User menu⟧' }).click(),
  'the notifications': (page: Page) => page.getByRole('button', { name: /^⟦(Notifications|.* waiting)/ }).click(),
  'the filters': (page: Page) => page.getByRole('button', { name: '⟦Filter⟧' }).click(),
  'the views': (page: Page) => page.getByRole('button', { name: '⟦Views⟧' }).click(),
  'the columns': (page: Page) => page.getByRole('button', { name: '⟦Columns⟧' }).click(),
  'the export': (page: Page) => page.getByRole('button', { name: '⟦Export⟧' }).click(),
} as const

const paths = [
  ...children.map(({ paths: [path] }) => path ?? ''),
  'rules/holidays',
  'users/groups',
  'users/cardFormats',
  'outbox',
  'rules/list?by=user',
  'rules/list?by=door',
  'rules/matrix',
  'rules/review',
  'rules/explorer',
  'rules/explorer?ask=door',
  ...['password', 'mfa', 'sessions'].map((tab) => `users/settings?tab=${tab}`),
]

test.describe('every text is in the catalogue', () => {
  let data: ReadonlySet<string>

  test.beforeEach(async ({ page }) => {
    data = await collectData(page)
    await pretend(page, 'en-XA')
  })

  test('every text on a screen comes from the catalogue or from the data', async ({ page }) => {
    await enterConsole(page, { url: product.url, path: '/harbour-group/sites' })
    for (const path of paths) {
      await test.step(path, async () => {
        await visit(page, path)
        expect(await textsOutsideCatalogue(page, data)).toEqual([])
      })
    }
  })

  test('every text in the drawer of a new item comes from the catalogue or from the data', async ({ page }) => {
    await enterConsole(page, { url: product.url, path: '/harbour-group/sites' })
    for (const path of drawers) {
      await test.step(path, async () => {
        await visit(page, path)
        await page
          .getByRole('main')
          .getByRole('button', { name: /^⟦(Add |Grant temporary)/ })
          .click()
        await expect(page.getByRole('dialog').last()).toBeVisible()
        expect(await textsOutsideCatalogue(page, data)).toEqual([])
      })
    }
  })

  test('every text in the details of an item comes from the catalogue or from the data', async ({ page }) => {
    await enterConsole(page, { url: product.url, path: '/harbour-group/sites' })
    for (const path of details) {
      await test.step(path, async () => {
        await visit(page, path)
        await page.getByRole('main').getByRole('row').nth(1).click()
        await expect(page.getByRole('dialog').or(page.getByRole('complementary')).last()).toBeVisible()
        await expect(page.getByRole('status', { name: /Loading/ })).toHaveCount(0)
        expect(await textsOutsideCatalogue(page, data)).toEqual([])
      })
    }
  })

  test('every text that opens over a screen comes from the catalogue or from the data', async ({ page }) => {
    await enterConsole(page, { url: product.url, path: '/harbour-group/units/list' })
    for (const [name, open] of Object.entries(overlays)) {
      await test.step(name, async () => {
        await page.goto(`${product.url}/harbour-group/units/list`)
        await expect(page.getByRole('main').getByRole('row').nth(1)).toBeVisible()
        await open(page)
        await expect(page.getByRole('dialog').or(page.getByRole('menu')).last()).toBeVisible()
        expect(await textsOutsideCatalogue(page, data)).toEqual([])
      })
    }
  })

  test('every text of the lock screen and of the idle warning comes from the catalogue or from the data', async ({
    page,
    context,
  }) => {
    await context.clock.install()
    await enterConsole(page, { url: product.url, path: '/harbour-group/sites' })
    await expect(page.getByRole('main')).toBeVisible()
    await context.clock.fastForward(301_000)
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await textsOutsideCatalogue(page, data)).toEqual([])
    await page.getByRole('dialog').getByRole('button').last().click()
    await page.getByRole('button', { name: '⟦User menu⟧' }).click()
    await page.getByRole('menuitem', { name: '⟦Lock screen⟧' }).click()
    await expect(page).toHaveURL(/\/authentication\/lock/)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await textsOutsideCatalogue(page, data)).toEqual([])
  })

  test('every text for a new user comes from the catalogue or from the data', async ({ page }) => {
    const [email, password] = ['lungile.radebe@portcullis.example', 'lungile waits for the ferry']
    const user = { name: 'Lungile Radebe', email, password, role: 'admin' } as const
    await product.client.of(users).create(user, { account: 'harbour-group' })

    await test.step('the request to verify the email', async () => {
      await enterConsole(page, { url: product.url, path: '/harbour-group/sites', user })
      await expect(page).toHaveURL(/\/authentication\/email-request/)
      await page.getByRole('button', { name: '⟦Resend Email⟧' }).click()
      await expect(page.getByText('⟦A new email has been sent.')).toBeVisible()
      expect(await textsOutsideCatalogue(page, data)).toEqual([])
    })

    await test.step('Updated Policies', async () => {
      await changeRows({
        ...product,
        statement: 'update person set person_verified = true where person_email = $1',
        values: [email],
      })
      await page.goto(`${product.url}/harbour-group/sites`)
      await expect(page.getByRole('dialog', { name: '⟦Updated Policies⟧' })).toBeVisible()
      expect(await textsOutsideCatalogue(page, data)).toEqual([])
      await page.getByRole('button', { name: '⟦Accept⟧' }).click()
      await expect(page.getByRole('main')).toBeVisible()
    })

    await test.step('setting up two-factor authentication, with its toasts', async () => {
      await visit(page, 'users/settings?tab=mfa')
      await page.getByRole('button', { name: '⟦Set up⟧' }).click()
      const modal = page.getByRole('dialog')
      await modal.getByRole('button', { name: '⟦Show QR⟧' }).click()
      await expect(modal.getByRole('img', { name: '⟦QR code of the key⟧' })).toBeVisible()
      const key = (await modal.locator('code').textContent()) ?? ''
      const code = modal.getByRole('textbox').last()
      await code.fill('12')
      expect(await textsOutsideCatalogue(page, data)).toEqual([])
      await code.fill(wrongCode(key))
      await modal.getByRole('button', { name: '⟦Verify⟧' }).click()
      await expect(page.getByRole('region', { name: '⟦Messages⟧' })).toContainText('⟦MFA setup failed⟧')
      expect(await textsOutsideCatalogue(page, data)).toEqual([])
      await code.fill(codeOf(key))
      await modal.getByRole('button', { name: '⟦Verify⟧' }).click()
      await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(10)
      expect(await textsOutsideCatalogue(page, data)).toEqual([])
    })

    await test.step('the code at sign-in', async () => {
      await page.context().clearCookies()
      await page.goto(`${product.url}/authentication/login`)
      await fillIn(page, user, { email: '⟦Email⟧', password: '⟦Password⟧', signIn: '⟦Sign In⟧' })
      const modal = page.getByRole('dialog')
      await modal.getByRole('textbox').fill('12')
      expect(await textsOutsideCatalogue(page, data)).toEqual([])
      await modal.getByRole('button', { name: '⟦Use a recovery code instead⟧' }).click()
      await expect(modal.getByLabel('⟦Recovery code⟧')).toBeVisible()
      expect(await textsOutsideCatalogue(page, data)).toEqual([])
    })
  })

  test('every text of Change Password comes from the catalogue', async ({ page }) => {
    await enterConsole(page, { url: product.url, path: '/harbour-group/parts' })
    await page.getByRole('button', { name: 'Change a password' }).click()
    const modal = page.getByRole('dialog', { name: '⟦Change Password⟧' })
    await modal.getByLabel('⟦New password⟧').fill('ferry')
    await modal.getByLabel('⟦Confirm password⟧').fill('boat')
    await modal.getByLabel('⟦New password⟧').focus()
    expect(await textsOutsideCatalogue(page, data, { within: '[role=dialog]' })).toEqual([])
  })

  test('every text of a toast comes from the catalogue or from the data', async ({ page }) => {
    await enterConsole(page, { url: product.url, path: '/harbour-group/sites?open=new' })
    const toasts = page.getByRole('region', { name: '⟦Messages⟧' })
    await page.getByLabel('⟦Name⟧').fill('Lungile quay')
    await page.getByRole('dialog').getByRole('button', { name: '⟦Save⟧' }).click()
    await expect(toasts).toContainText('Lungile quay')
    expect(await textsOutsideCatalogue(page, data)).toEqual([])
    await toasts.getByRole('button', { name: '⟦Undo⟧' }).click()
    await expect(toasts).toContainText('⟦Undone')
    expect(await textsOutsideCatalogue(page, data)).toEqual([])
    const { items } = await product.client.of(doors).list({ size: 1 }, { account: 'harbour-group' })
    await product.client.http.call(askAtDoor, {
      body: { type: 'RemoteAuthRequest', door: items[0]?._id ?? '', data: { expiresAfterSeconds: 60 } },
      account: 'harbour-group',
    })
    await expect(toasts).toContainText('⟦New Access Requested⟧')
    expect(await textsOutsideCatalogue(page, data)).toEqual([])
  })

  test('every text of the sign-in pages comes from the catalogue', async ({ page }) => {
    for (const path of ['login', 'password-reset', 'password-reset/a/b', 'email-confirm/a/b']) {
      await page.goto(`${product.url}/authentication/${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await textsOutsideCatalogue(page, new Set())).toEqual([])
    }
  })
})

const forms = viewsOf({ narrow: 390 })

test('from right to left, the sidebar is on the right and no screen scrolls horizontally', async ({ page }) => {
  await pretend(page, 'en-XB')
  await enterConsole(page, { url: product.url, path: '/harbour-group/sites' })
  for (const path of paths) {
    await visit(page, path)
    await expectNoSidewaysScrolling(page, path)
  }
  for (const form of forms) {
    await show(page, form)
    const main = page.getByRole('main')
    await expect.poll(async () => (await main.boundingBox())?.x).toBeLessThan(form.width / 10)
    expect(await violationsOf(page)).toEqual([])
  }
  await visit(page, 'users/list?open=new')
  const drawer = page.getByRole('dialog').last()
  await expect(drawer).toBeVisible()
  for (const form of forms) {
    await show(page, form)
    await expect.poll(async () => (await drawer.boundingBox())?.x).toBe(0)
  }
  await expectNoSidewaysScrolling(page, 'the drawer')
})

test.describe('in Spanish', () => {
  test.use({ locale: 'es-ES' })

  test('a browser in Spanish opens every screen in Spanish', async ({ page }) => {
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error)))
    await enterConsole(page, { url: product.url, path: '/harbour-group/sites' })
    await expect(page).toHaveTitle('Sitios - Portcullis')
    for (const path of paths) {
      await visit(page, path)
      await expectNoSidewaysScrolling(page, path)
    }
    await expect(page.locator('html')).toHaveAttribute('lang', 'es')
    for (const form of forms) {
      await show(page, form)
      expect(await violationsOf(page)).toEqual([])
    }
    expect(faults).toEqual([])
  })

  test('a user signs in, adds a site and undoes it', async ({ page }) => {
    await page.goto(`${product.url}/authentication/login`)
    await expect(page.getByRole('heading', { name: 'Inicie sesión en Portcullis' })).toBeVisible()
    await page.getByRole('button', { name: 'Aceptar todas' }).click()
    await page.getByLabel('Correo electrónico').fill('admin@portcullis.example')
    await page.getByRole('textbox', { name: 'Contraseña' }).fill('not the password')
    await page.getByRole('button', { name: 'Iniciar sesión' }).click()
    await expect(page.getByText('El correo o la contraseña son incorrectos.')).toBeVisible()
    await fillIn(page, undefined, { email: 'Correo electrónico', password: 'Contraseña', signIn: 'Iniciar sesión' })
    await expect(page).toHaveTitle('Sitios - Portcullis')
    await page.getByRole('button', { name: 'Añadir sitio' }).click()
    await page.getByLabel('Nombre').fill('Almacén norte')
    await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
    await expect(page.getByText('Se ha añadido Almacén norte')).toBeVisible()
    await page.getByRole('button', { name: 'Deshacer' }).click()
    await expect(page.getByText('Deshecho: se ha eliminado Almacén norte de nuevo')).toBeVisible()
  })

  test('the language that a user selects applies in every browser', async ({ page, browser }) => {
    await enterConsole(page, { url: product.url, path: '/harbour-group/users/settings' })
    await page.getByRole('combobox', { name: 'Idioma' }).click()
    await page.getByRole('option', { name: languages.en }).click()
    await expect(page.getByRole('heading', { name: 'User settings' })).toBeVisible()

    const other = await browser.newContext({ locale: 'es-ES' })
    const there = await other.newPage()
    await enterConsole(there, { url: product.url, path: '/harbour-group/users/settings' })
    await expect(there.getByRole('heading', { name: 'User settings' })).toBeVisible()
    await there.getByRole('combobox', { name: 'Language' }).click()
    await there.getByRole('option', { name: 'Same as the browser' }).click()
    await expect(there.getByRole('heading', { name: 'Ajustes de usuario' })).toBeVisible()
    await other.close()
  })
})

/** Sets the stored language choice to a pseudo-language (`text/language.ts`). */
async function pretend(page: Page, language: 'en-XA' | 'en-XB') {
  await page.addInitScript((chosen) => localStorage.setItem('portcullis-language', chosen), language)
}

/** Opens a screen as a link does where another one is open: loading the page each time takes three times as long. */
async function visit(page: Page, path: string) {
  const to = `/harbour-group/${path}`
  const isOpen = new URL(page.url()).pathname.startsWith('/harbour-group/')
  if (!isOpen || path.includes('?')) await page.goto(`${product.url}${to}`)
  else {
    await page.evaluate(() => document.querySelector('main h1')?.setAttribute('data-left', ''))
    await page.evaluate((next) => history.pushState(null, '', next), to)
  }
  await expect(page.locator('main h1:not([data-left])')).toBeVisible()
  await expect(page.getByRole('status', { name: /Loading|Cargando/ })).toHaveCount(0)
}

async function expectNoSidewaysScrolling(page: Page, path: string) {
  for (const { width } of forms) {
    await page.setViewportSize({ width, height: 900 })
    const sidewaysPx = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    await expect.poll(sidewaysPx, { message: `${path} at ${width} px` }).toBeLessThanOrEqual(0)
  }
}

/** The words of all data that the server sends to a page, in answers and in messages, before the page shows them. */
async function collectData(page: Page) {
  const words = new Set<string>()
  const collect = (text: string | Buffer) => {
    for (const word of latinWords(String(text))) words.add(word)
  }
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => collect(payload)))
  await page.route('**/api/**', async (route) => {
    // A request that the page gives up has no answer to collect.
    const response = await route.fetch().catch(() => undefined)
    const body = await response?.text().catch(() => undefined)
    if (!response || body === undefined) return
    collect(body)
    await route.fulfill({ response }).catch(() => undefined)
  })
  return words
}

function latinWords(text: string) {
  return text.match(/[A-Za-z]{3,}/g) ?? []
}

/** Names that are the same in every language. */
const names = new Set(['Portcullis', 'UTC', 'GMT', 'Ctrl', 'Esc', ...Object.values(languages)])

/** Words of texts and labels on a page outside the brackets that the pseudo-language puts around catalogue texts. */
async function textsOutsideCatalogue(page: Page, data: ReadonlySet<string>, { within }: { within?: string } = {}) {
  const texts = await page.evaluate((scope) => {
    const part = scope === undefined ? document.body : document.querySelector<HTMLElement>(scope)
    const attributes = ['aria-label', 'placeholder', 'title', 'alt'].flatMap((name) =>
      [...(part?.querySelectorAll(`[${name}]:not([aria-hidden=true])`) ?? [])].map(
        (each) => each.getAttribute(name) ?? '',
      ),
    )
    return [part?.innerText ?? '', scope === undefined ? document.title : '', ...attributes]
  }, within)
  const outside = texts.flatMap((text) => latinWords(withoutCatalogue(text)))
  const zones = Intl.supportedValuesOf('timeZone').flatMap(latinWords)
  return [...new Set(outside)].filter((word) => !names.has(word) && !data.has(word) && !zones.includes(word))
}

function withoutCatalogue(text: string): string {
  const next = text.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ')
  return next === text ? text : withoutCatalogue(next)
}
