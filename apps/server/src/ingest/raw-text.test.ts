import { expect, test } from 'vitest'
import { rawText } from './raw-text.ts'

test('a short body is kept as it is, an absent one as a word', () => {
  const body = [{ type: 'access', at: 'yesterday', kind: 'card', number: '4711' }, null, 'x', 1.5, [[]], {}]
  expect(rawText(body)).toBe(JSON.stringify(body))
  expect(rawText(undefined)).toBe('nothing')
})

test('numbers that may be those of QR codes or phones are masked at any depth', () => {
  const inner = { kind: 'qr', number: 'secret-123456' }
  const text = rawText([inner, { deep: { number: 987654321 } }, { kind: 'iButton', number: '0001' }])
  expect(text).not.toMatch(/secret|98765/)
  expect(text).toContain('0001')
  const spellings = [
    { pin: '1234' },
    { kind: 'pin', number: ['1234'] },
    { credentialNumber: 1234 },
    { PIN: { entered: '1234' } },
  ]
  for (const spelling of spellings) expect(rawText({ type: 'access', ...spelling })).not.toContain('1234')
})

test('of a body with many parts, only the beginning is read', () => {
  let read = 0
  const part = Object.defineProperty({}, 'x', { enumerable: true, get: () => (read += 1) })
  const text = rawText(Array.from({ length: 86_000 }, () => part))
  expect(text).toHaveLength(4_000)
  expect(read).toBeLessThanOrEqual(2_000)
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, part]))
  rawText(wide)
  expect(read).toBeLessThanOrEqual(4_000)
})

test('a text is cut without half a character, and deep nesting does not overflow the stack', () => {
  expect(rawText('😀'.repeat(5_000)).isWellFormed()).toBe(true)
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  expect(rawText(deep)).toMatch(/^\[+\]+$/)
})
