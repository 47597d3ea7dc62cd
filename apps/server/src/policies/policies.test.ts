import { brands } from '@portcullis/contract/brands'
import { afterAll, describe, expect, test } from 'vitest'
import { requestAtHost } from '../brands/test-host.ts'
import { startTestServer } from '../test-server.ts'
import { policyUpdated } from './policies.ts'

const server = await startTestServer()
afterAll(server.stop)

const names = ['eula', 'privacy', 'terms', 'disclaimer'] as const

async function page(name: string, host = 'localhost') {
  const { status, headers, text } = await requestAtHost(server.url, { path: `/assets/policy/${name}`, host })
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

test.each(names)('%s is a separate page without scripts that links to the others and back', async (name) => {
  const { html, headers } = await page(name)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['content-security-policy']).toContain("connect-src 'self'; frame-ancestors 'none'")
  expect(headers['cross-origin-opener-policy']).toBe('same-origin')
  expect(html).not.toMatch(/<script|{{/)
  for (const other of names) expect(html).toContain(`href="/assets/policy/${other}"`)
  expect(html).toContain('href="/"')
})

test('they show the brand of their host, and caches keep them apart by host', async () => {
  for (const { key, product, light, dark } of Object.values(brands)) {
    const { html, words, headers } = await page('terms', `${key}.localhost`)
    expect(html).toContain(`<title>Terms and Conditions - ${product}</title>`)
    expect(words).toContain(`These terms govern the service ${product}`)
    expect(html).toContain(`/brands/${key}/logo.svg`)
    expect(html).toContain(light.accent)
    expect(html).toContain(dark.accent)
    expect([headers['vary'], headers['cache-control']]).toEqual(['Host', 'no-cache'])
  }
})

test.each(['nothing', 'eula.html', 'EULA', '..%2Fpolicies.ts', 'constructor', '', 'terms/'])(
  'there is no policy "%s"',
  async (name) => {
    expect((await page(name)).status).toBe(404)
  },
)
