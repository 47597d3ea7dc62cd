import { brands } from '@portcullis/contract/brands'
import { languageCodes } from '@portcullis/contract/languages'
import { afterAll, describe, expect, test } from 'vitest'
import { requestAtHost } from '../brands/test-host.ts'
import { startTestServer } from '../test-server.ts'
import { policyUpdated } from './policies.ts'

const server = await startTestServer()
afterAll(server.stop)

const names = ['eula', 'privacy', 'terms', 'disclaimer'] as const

async function page(name: string, { host = 'localhost', accepts }: { host?: string; accepts?: string } = {}) {
  const { status, headers, text } = await requestAtHost(server.url, {
    path: `/assets/policy/${name}`,
    host,
    headers: accepts === undefined ? {} : { 'accept-language': accepts },
  })
  return { status, headers, html: text, words: wordsOf(text) }
}

/** The visible text, on one line. */
function wordsOf(html: string) {
  return html
    .replace(/<(style|head)>.*?<\/\1>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
}

describe('§1 the legal texts', () => {
  test.each([
    ['eula', 'End User License Agreement', 'March 14, 2025'],
    ['privacy', 'Privacy Policy', 'June 24, 2021'],
    ['disclaimer', 'Disclaimer', 'June 29, 2021'],
    ['terms', 'Terms and Conditions', 'June 29, 2021'],
  ])('%s: %s, last updated %s', async (name, title, updated) => {
    const { status, html, words } = await page(name)
    expect(status).toBe(200)
    expect(html).toContain(`<h1>${title}</h1>`)
    expect(words).toContain(`Last updated ${updated}`)
    expect(html).toContain(`<title>${title} - Portcullis</title>`)
  })

  test.each([
    ['the provider is based in South Africa', /provider of Portcullis, are based in South Africa/],
    ['the minimum age is 18', /at least 18 years old/],
    ['the liability cap is the amount paid, or 100 USD', /limited to the amount you have paid .{0,20}or 100 USD/],
    ['material changes are announced at least 30 days before', /material, you have at least 30 days' notice/],
    ['returned goods are refunded within 14 days', /refund .{0,40}within 14 days .{0,60}returned goods/],
    ['subscriptions renew automatically', /subscription renews automatically/],
    ['and can be cancelled from account settings', /cancel at any time in your account settings/],
    ["a username must not be another person's", /username must not be the name of another person/],
    ['nor offensive', /must not be offensive/],
  ])('§9 terms: %s', async (_fact, words) => {
    expect((await page('terms')).words).toMatch(words)
  })

  test.each([
    ['eula', 'Contrato de licencia de usuario final', '14 de marzo de 2025'],
    ['privacy', 'Política de privacidad', '24 de junio de 2021'],
    ['disclaimer', 'Exención de responsabilidad', '29 de junio de 2021'],
    ['terms', 'Términos y condiciones', '29 de junio de 2021'],
  ])('%s in Spanish: %s, last updated %s', async (name, title, updated) => {
    const { status, html, words } = await page(`${name}?lang=es`)
    expect(status).toBe(200)
    expect(html).toContain(`<h1>${title}</h1>`)
    expect(words).toContain(`Última actualización: ${updated}`)
    expect(words).toContain('nuestra sede en Sudáfrica')
  })

  test.each([
    ['the minimum age is 18', /al menos 18 años/],
    ['the liability cap is the amount paid, or 100 USD', /importe que usted haya pagado .{0,20}o a 100 USD/],
    ['material changes are announced at least 30 days before', /sustancial, le avisamos con al menos 30 días/],
    ['returned goods are refunded within 14 days', /Reembolsamos .{0,40}en un plazo de 14 días .{0,60}devueltos/],
    ['subscriptions renew automatically', /suscripción se renueva automáticamente/],
    ['and can be cancelled from account settings', /cancelarla en cualquier momento en los ajustes de la cuenta/],
    ["a username must not be another person's", /nombre de usuario no debe ser el nombre de otra persona/],
    ['nor offensive', /No debe ser ofensivo/],
  ])('§9 terms in Spanish: %s', async (_fact, words) => {
    expect((await page('terms?lang=es')).words).toMatch(words)
  })

  test.each([
    ['cards', /cards and other credentials/],
    ['events', /Access events/],
    ['addresses of devices in the sign-in history', /Sign-in history .{0,60}network address of the device/],
    ['the session cookie', /One session cookie/],
    ['the device cookie', /One device cookie/],
    ['browser storage', /storage of the browser/],
  ])('privacy: mentions %s', async (_what, words) => {
    expect((await page('privacy')).words).toMatch(words)
  })

  test('consent must be later than the dates shown on the pages', async () => {
    expect(policyUpdated).toEqual({
      eula: '2025-03-14T00:00:00.000Z',
      privacy: '2021-06-24T00:00:00.000Z',
      terms: '2021-06-29T00:00:00.000Z',
      disclaimer: '2021-06-29T00:00:00.000Z',
    })
    expect((await server.client.configuration()).policyUpdated).toEqual(policyUpdated)
  })
})

describe('the language of a page', () => {
  test.each([
    ['English where the browser requests none', '', undefined, 'en'],
    ["the browser's", '', 'es', 'es'],
    ["the browser's, in any region", '', 'es-MX,es;q=0.9', 'es'],
    ['the first of the browser that there is', '', 'fr-FR, es;q=0.8, en;q=0.7', 'es'],
    ['the one that the browser prefers', '', 'es;q=0.5,en;q=0.9', 'en'],
    ['none that the browser refuses', '', 'es;q=0', 'en'],
    ['English for a browser without a supported language', '', 'fr,*;q=0.1', 'en'],
    ['English for a header that is no list of languages', '', ';;q=,es;q=x', 'en'],
    ['the requested one, for a browser in another', '?lang=es', 'en', 'es'],
    ['the requested one, in any region', '?lang=es-MX', 'en', 'es'],
    ["the browser's, for an unsupported one", '?lang=fr', 'es', 'es'],
    ["the browser's, for an empty one", '?lang=', 'es', 'es'],
    ["the browser's, for a name of a property", '?lang=constructor', 'es', 'es'],
    ["the browser's, for two", '?lang=en&lang=en', 'es', 'es'],
  ])('is %s', async (_which, query, accepts, language) => {
    const { status, headers, html } = await page(`terms${query}`, accepts === undefined ? {} : { accepts })
    expect(status).toBe(200)
    expect(headers['content-language']).toBe(language)
    expect(headers['vary']).toBe('Host, Accept-Language')
    expect(html).toContain(`<html lang="${language}">`)
  })

  test('is that of its links to other policies, and each other language has a link to the same page', async () => {
    for (const language of languageCodes) {
      const { html } = await page(`terms?lang=${language}`)
      const links = [...html.matchAll(/href="\/assets\/policy\/([^"]*)"/g)].map(([, link]) => link)
      const others = languageCodes.filter((code) => code !== language)
      expect(links.filter((link) => !link?.endsWith(`?lang=${language}`))).toEqual(
        others.map((code) => `terms?lang=${code}`),
      )
    }
  })
})

test.each(names)('%s has the same sections, lists and links in every language, and no placeholder', async (name) => {
  const outlines = await Promise.all(
    languageCodes.map(async (language) => {
      const { html } = await page(`${name}?lang=${language}`)
      const [main = ''] = /<main.*<\/main>/s.exec(html) ?? []
      expect(main).not.toMatch(/[{}]/)
      return outlineOf(main.replaceAll(`?lang=${language}`, ''))
    }),
  )
  const [first] = outlines
  expect(first?.length).toBeGreaterThan(10)
  for (const outline of outlines) expect(outline).toEqual(first)
})

/** The elements of the text with their ids, and the numbers of its sections. Links are sorted: their order in a sentence may differ. */
function outlineOf(main: string) {
  const blocks = main.match(/<(h1|h2|p|ul|li|dl|dt|dd)\b( id="\w+")?|(?<=<h2[^>]*>)\d+/g) ?? []
  const links = main.match(/href="[^"]*"/g) ?? []
  return [...blocks, ...links.sort()]
}

test.each(names)('%s is a separate page without scripts that links to the others and back', async (name) => {
  const { html, headers } = await page(name)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['content-security-policy']).toContain("connect-src 'self'; frame-ancestors 'none'")
  expect(headers['cross-origin-opener-policy']).toBe('same-origin')
  expect(html).not.toMatch(/<script|{{/)
  for (const other of names) expect(html).toContain(`href="/assets/policy/${other}?lang=en"`)
  expect(html).toContain('href="/"')
})

test('they show the brand of their host, and caches keep them apart by host', async () => {
  for (const { key, product, light, dark } of Object.values(brands)) {
    const { html, words, headers } = await page('terms', { host: `${key}.localhost` })
    expect(html).toContain(`<title>Terms and Conditions - ${product}</title>`)
    expect(words).toContain(`These terms govern the service ${product}`)
    expect(html).toContain(`/brands/${key}/logo.svg`)
    expect(html).toContain(light.accent)
    expect(html).toContain(dark.accent)
    expect([headers['vary'], headers['cache-control']]).toEqual(['Host, Accept-Language', 'no-cache'])
  }
})

test.each(['nothing', 'eula.html', 'EULA', '..%2Fpolicies.ts', 'constructor', '', 'terms/'])(
  'there is no policy "%s"',
  async (name) => {
    expect((await page(name)).status).toBe(404)
  },
)
