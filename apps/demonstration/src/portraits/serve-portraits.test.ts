import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { drawPortrait, type Portrait } from './serve-portraits.ts'
import { looks } from './looks.ts'
import { addressOfPortrait, servePortraits } from './serve-portraits.ts'

const portrait: Portrait = { look: 'olive', figure: 'woman', seed: '1a2b3c' }

async function ask(address: string) {
  const app = Fastify()
  servePortraits(app)
  const answer = await app.inject(address)
  await app.close()
  return answer
}

test('a made-up person has a portrait that never changes', async () => {
  const [first, second] = [await ask(addressOfPortrait(portrait)), await ask(addressOfPortrait(portrait))]
  expect(first.statusCode).toBe(200)
  expect(first.headers['content-type']).toBe('image/svg+xml')
  expect(first.headers['cache-control']).toContain('immutable')
  expect(first.body).toMatch(/^<svg [^]*<\/svg>$/)
  expect(first.body).not.toMatch(/undefined|NaN|<script|<image|href="http/)
  expect(first.body.length).toBeLessThan(30_000)
  expect(second.body).toBe(first.body)
})

test.each(Object.keys(looks))(
  'a hundred people with the look "%s" are served, and hardly any look the same',
  async (look) => {
    const drawings = new Set<string>()
    for (let number = 0; number < 100; number += 1) {
      const address = `/assets/portraits/${look}-${number % 2 === 0 ? 'woman' : 'man'}-${number.toString(36)}.svg`
      const { statusCode, body } = await ask(address)
      expect(statusCode, address).toBe(200)
      drawings.add(body)
    }
    expect(drawings.size).toBeGreaterThan(95)
  },
)

test('only the colours and parts of the look are drawn', () => {
  expect(drawPortrait(portrait)).toMatch(new RegExp(looks.olive.skinColor.join('|')))
})

test.each([
  '',
  'olive',
  'olive-woman',
  'olive-child-1',
  'toString-man-1',
  'olive-man-12345678',
  'olive-man-A',
  '%2e%2e%2fpasswd',
])('no portrait is served for the code "%s"', async (code) => {
  expect((await ask(`/assets/portraits/${code}.svg`)).statusCode).toBe(404)
})
