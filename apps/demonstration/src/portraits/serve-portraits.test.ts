import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { seededRandom } from '../random.ts'
import { choosePortrait } from './choose-portrait.ts'
import { codeOfPortrait, makePortrait, portraitChoices, portraitOfCode } from './portrait.ts'
import { addressOfPortrait, servePortraits } from './serve-portraits.ts'

const sitter = { figure: 'woman', skin: [2, 6], hairColours: [0, 1], hair: 'any', clothes: 'any' } as const

async function ask(address: string) {
  const app = Fastify()
  servePortraits(app)
  const answer = await app.inject(address)
  await app.close()
  return answer
}

test('a made-up person has a picture under an address that holds all of it, for ever the same', async () => {
  const portrait = choosePortrait(sitter, seededRandom(1))
  const [first, second] = [await ask(addressOfPortrait(portrait)), await ask(addressOfPortrait(portrait))]
  expect(first.statusCode).toBe(200)
  expect(first.headers['content-type']).toBe('image/svg+xml')
  expect(first.headers['cache-control']).toContain('immutable')
  expect(first.body).toMatch(/^<svg [^]*<\/svg>$/)
  expect(first.body).not.toMatch(/undefined|NaN|<script/)
  expect(first.body.length).toBeLessThan(8_000)
  expect(second.body).toBe(first.body)
})

test('every choice of every part can be drawn, and its code read again', async () => {
  const most = Math.max(...Object.values(portraitChoices))
  for (let choice = 0; choice < most; choice++) {
    const portrait = makePortrait((part) => choice % portraitChoices[part])
    expect(portraitOfCode(codeOfPortrait(portrait))).toEqual(portrait)
    const { body } = await ask(addressOfPortrait(portrait))
    expect(body).toMatch(/^<svg [^]*<\/svg>$/)
    expect(body).not.toMatch(/undefined|NaN/)
  }
})

test.each(['', 'zzzzzzzzzzzzzzzzz', '0', '0000000000000000-', '%2e%2e%2fpasswd', '000000000000000000'])(
  'no picture is drawn for the code "%s"',
  async (code) => {
    expect((await ask(`/assets/portraits/${code}.svg`)).statusCode).toBe(404)
  },
)

test('a hundred people drawn by chance are hardly ever the same, and the same chance draws the same ones', () => {
  const draw = () => {
    const random = seededRandom(5)
    return Array.from({ length: 100 }, () => codeOfPortrait(choosePortrait(sitter, random)))
  }
  expect(new Set(draw()).size).toBeGreaterThan(98)
  expect(draw()).toEqual(draw())
})
