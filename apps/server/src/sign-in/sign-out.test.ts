import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { requestAtHost } from '../brands/test-host.ts'
import { startOwnServer, startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

async function clearedBy(
  { url }: { url: string },
  { host, path = '/api/auth/logout' }: { host: string; path?: string },
) {
  const { headers } = await requestAtHost(url, { host, path, method: 'POST', headers: { 'x-js-account': 'null' } })
  return headers['clear-site-data']
}

describe('§8 a sign-out makes the browser clear its cache', () => {
  test.for(['localhost:3000', 'acme.localhost:3000', '127.0.0.1:3000'])('at %s', async (host) => {
    expect(await clearedBy(server, { host })).toBe('"cache"')
  })

  test('behind TLS, and no other call does', async () => {
    const behindTls = await startOwnServer({ publicUrl: 'https://doors.example' })
    onTestFinished(behindTls.stop)
    expect(await clearedBy(behindTls, { host: 'doors.example' })).toBe('"cache"')
    expect(await clearedBy(behindTls, { host: 'doors.example', path: '/api/auth/activity' })).toBeUndefined()
  })

  test('but not over plain HTTP elsewhere, where browsers ignore the header', async () => {
    expect(await clearedBy(server, { host: 'doors.example' })).toBeUndefined()
  })
})
