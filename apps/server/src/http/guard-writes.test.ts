import { describe, expect, test } from 'vitest'
import { isOwnOrigin } from './guard-writes.ts'

const acme = 'acme.portcullis.example'
const publicUrl = 'https://doors.example.com'

describe('without a public address an origin is ours where the request was sent to the same host', () => {
  test.each([
    ['http://localhost:3000', 'localhost:3000', true],
    ['http://acme.localhost:3000', 'acme.localhost:3000', true],
    ['http://doors.example.com', 'doors.example.com', true],
    ['http://acme.localhost:3000', 'localhost:3000', false],
    ['http://localhost:4000', 'localhost:3000', false],
    ['https://evil.example', 'localhost:3000', false],
    ['null', 'localhost:3000', false],
    ['file://', '', false],
    ['https://evil.example', undefined, false],
  ])('%s to %s: %s', (origin, host, isOwn) => {
    expect(isOwnOrigin({ origin, host, protocol: 'http', publicUrl: undefined })).toBe(isOwn)
  })

  test('and by the same scheme', () => {
    const [origin, host] = ['https://doors.example.com', 'doors.example.com']
    expect(isOwnOrigin({ origin, host, protocol: 'https', publicUrl: undefined })).toBe(true)
    expect(isOwnOrigin({ origin, host, protocol: 'http', publicUrl: undefined })).toBe(false)
  })
})

describe("with a public address an origin is ours there, and at a brand's own host that was requested by the same scheme", () => {
  test.each([
    ['the public address', publicUrl, 'doors.example.com', true],
    ['the public address, asked for by a proxy under another name', publicUrl, '10.0.0.7:3000', true],
    ["a brand's own host", `https://${acme}`, acme, true],
    ["a brand's own host by another scheme", `http://${acme}`, acme, false],
    ["a brand's own host at another port", `https://${acme}:8443`, acme, false],
    ['another brand', `https://${acme}`, 'harbour.portcullis.example', false],
    ['a brand towards the public address', `https://${acme}`, 'doors.example.com', false],
    ["a host that only begins like a brand's", 'https://acme.evil.example', 'acme.evil.example', false],
    ["a host below a brand's", `https://x.${acme}`, `x.${acme}`, false],
    ['any other host that was asked', 'https://evil.example', 'evil.example', false],
    ['a brand for trying', 'https://acme.localhost', 'acme.localhost', false],
    ['nowhere', 'null', 'doors.example.com', false],
  ])('%s: %s', (_what, origin, host, isOwn) => {
    expect(isOwnOrigin({ origin, host, protocol: 'http', publicUrl })).toBe(isOwn)
  })
})
