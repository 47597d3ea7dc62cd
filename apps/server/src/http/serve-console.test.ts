import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { serveConsole } from './serve-console.ts'

async function headersOf({ publicUrl, url = '/main/sites' }: { publicUrl?: string; url?: string }) {
  const app = Fastify()
  onTestFinished(() => app.close())
  await serveConsole(app, { publicUrl })
  app.get('/api/sites', async () => [])
  return (await app.inject({ url, headers: { host: 'doors.example.com' } })).headers
}

test('pages load scripts and connect to their own origin only, and are not framed', async () => {
  const headers = await headersOf({})
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy).toEqual(expect.arrayContaining(["default-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]))
  expect(policy.filter((each) => each.startsWith('script-src'))).toEqual([])
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  })
  expect(headers['permissions-policy']).toBe('camera=(), geolocation=(), microphone=(), payment=(), usb=()')
})

test('browsers must stay with TLS only where the public URL has it', async () => {
  const hsts = async (publicUrl?: string) =>
    (await headersOf(publicUrl === undefined ? {} : { publicUrl }))['strict-transport-security']
  expect(await hsts('https://doors.example.com')).toBe('max-age=31536000')
  expect(await hsts('http://doors.example.com')).toBeUndefined()
  expect(await hsts()).toBeUndefined()
})

test('answers of calls are stored by no cache', async () => {
  expect((await headersOf({ url: '/api/sites' }))['cache-control']).toBe('no-store')
})
