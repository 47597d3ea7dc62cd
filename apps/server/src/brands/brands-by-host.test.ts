import { configuration } from '@portcullis/contract/calls/configuration'
import { connect } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { startOwnServer } from '../test-server.ts'
import { requestAtHost } from './test-host.ts'

const server = await startOwnServer()
const behindProxy = await startOwnServer({ publicUrl: 'https://doors.example.com' })
afterAll(async () => {
  await server.stop()
  await behindProxy.stop()
})

describe('§1 branding by the first part of the host name', () => {
  test.each([
    ['acme.localhost:3000', { key: 'acme', product: 'Acme Access' }],
    ['harbour.doors.example', { key: 'harbour', product: 'Harbour Watch' }],
    ['localhost:3000', { key: 'portcullis', product: 'Portcullis' }],
    ['127.0.0.1', { key: 'portcullis', product: 'Portcullis' }],
    ['unknown.example', { key: 'portcullis', product: 'Portcullis' }],
    ['acme/../harbour', { key: 'portcullis', product: 'Portcullis' }],
    ['', { key: 'portcullis', product: 'Portcullis' }],
  ])('the configuration at "%s"', async (host, brand) => {
    const { status, headers, text } = await requestAtHost(server.url, { host, path: '/config' })
    expect(status).toBe(200)
    expect(configuration.parse(JSON.parse(text)).brand).toEqual(brand)
    expect([headers['vary'], headers['cache-control']]).toEqual(['Host', 'no-cache'])
  })

  test('forwarding headers do not choose the brand', async () => {
    const headers = { 'x-forwarded-host': 'acme.localhost', forwarded: 'host=acme.localhost' }
    const { text } = await requestAtHost(server.url, { host: 'localhost', path: '/config', headers })
    expect(configuration.parse(JSON.parse(text)).brand.key).toBe('portcullis')
  })

  test('a request without a host gets the default brand', async () => {
    const { hostname, port } = new URL(server.url)
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    let received = ''
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write('GET /config HTTP/1.0\r\n\r\n'))
    socket.on('data', (data) => {
      received += data.toString()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
    expect(await promise).toContain('"brand":{"key":"portcullis"')
  })
})

describe('origins that may send changes', () => {
  const leave = (url: string, host: string, origin: string) =>
    requestAtHost(url, { host, path: '/api/auth/logout', method: 'POST', headers: { origin, 'x-js-account': 'null' } })

  test('the host of a brand, at that host', async () => {
    const { status } = await leave(server.url, 'acme.localhost:3000', 'http://acme.localhost:3000')
    expect(status).toBe(204)
  })

  test.each([
    ['at another host', 'harbour.localhost:3000', 'http://acme.localhost:3000'],
    ['at the address of the server', 'localhost:3000', 'http://acme.localhost:3000'],
  ])('not the host of a brand %s', async (_where, host, origin) => {
    expect((await leave(server.url, host, origin)).status).toBe(403)
  })

  test.each([
    ['the public address', 'doors.example.com', 'https://doors.example.com', 204],
    ["a brand's own host", 'acme.portcullis.example', 'https://acme.portcullis.example', 204],
    ["a brand's own host without TLS", 'acme.portcullis.example', 'http://acme.portcullis.example', 403],
    ["a host that only begins like a brand's", 'acme.evil.example', 'https://acme.evil.example', 403],
    ['one brand at the host of another', 'harbour.portcullis.example', 'https://acme.portcullis.example', 403],
  ])('behind a public address, from %s: %s, %s: %i', async (_what, host, origin, status) => {
    expect((await leave(behindProxy.url, host, origin)).status).toBe(status)
  })
})
