import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CardFormat, cardFormats, countOf, decodeCard, encodeCard, hasFacility } from './card-format.ts'
import { parseLayout } from './parse-layout.ts'

/** The bits of frames as makers of readers and tools publish them, the first bit first. */
const published = [
  // Civintec CN56 reader, user manual, 6.4.2: data D41B81.
  { format: 'wiegand26', facility: 0xd4, printed: '7041', bits: '1 11010100 0001101110000001 0' },
  // Proxmark3, `lf hid clone -r 2006ec0c86`, without the preamble 0x2004000000.
  { format: 'wiegand26', facility: 118, printed: '1603', bits: '1 01110110 0000011001000011 0' },
  // Civintec CN56 reader, user manual, 6.4.5: data 89D41B81.
  { format: 'wiegand34', facility: 0x89d4, printed: '7041', bits: '1 1000100111010100 0001101110000001 1' },
  // Hikvision, operation manual of Wiegand cameras: the card 1234567890, which is 0x499602D2.
  { format: 'wiegand34', facility: 0x4996, printed: '722', bits: '1 0100100110010110 0000001011010010 0' },
  // Proxmark3, issue 273 of its repository: 1029a0f4d2.
  { format: 'wiegand37Facility', facility: 666, printed: '31337', bits: '1 0000001010011010 0000111101001101001 0' },
  // HardwareAllTheThings, page on HID cards: 10001fc656, as a card of both formats.
  { format: 'wiegand37Facility', facility: 1, printed: '516907', bits: '1 0000000000000001 1111110001100101011 0' },
  { format: 'wiegand37', facility: null, printed: '1041195', bits: '1 00000000000000011111110001100101011 0' },
  // Flipper Zero, issue 1029 of its repository: 584a2b940, read from one card as both formats.
  { format: 'wiegand37Facility', facility: 22602, printed: '89248', bits: '0 0101100001001010 0010101110010100000 0' },
  { format: 'wiegand37', facility: null, printed: '11850046624', bits: '0 01011000010010100010101110010100000 0' },
] as const

test.each(published)('$format: facility $facility, number $printed is read as $bits', (example) => {
  const { facility, printed } = example
  const bits = example.bits.replaceAll(' ', '')
  const number = BigInt(`0b${bits}`)
    .toString(16)
    .toUpperCase()
    .padStart(Math.ceil(bits.length / 4), '0')
  expect(encodeCard(cardFormats[example.format], { facility, printed })).toEqual({ number })
  expect(decodeCard(cardFormats[example.format], number)).toEqual({ facility, printed })
})

test.each([
  // The ranges that HID publishes for its formats.
  { format: 'wiegand26', bits: 26, facility: 255, printed: '65535' },
  { format: 'wiegand34', bits: 34, facility: 65_535, printed: '65535' },
  { format: 'wiegand37', bits: 37, facility: null, printed: '34359738367' },
  { format: 'wiegand37Facility', bits: 37, facility: 65_535, printed: '524287' },
] as const)('$format has $bits bits and the published range', ({ format, bits, facility, printed }) => {
  const of = cardFormats[format]
  expect(of.layout).toHaveLength(bits)
  expect(encodeCard(of, { facility, printed })).toHaveProperty('number')
  const more = (BigInt(printed) + 1n).toString()
  expect(encodeCard(of, { facility, printed: more })).toMatchObject({ fault: 'out_of_range', maximum: printed })
  if (facility === null) return
  expect(encodeCard(of, { facility: facility + 1, printed })).toMatchObject({
    field: 'facility',
    fault: 'out_of_range',
    maximum: facility.toString(),
  })
})

test.each([
  // The first bit and the number of bits of each parity, as published with the formats.
  { format: 'wiegand26', even: [0, 13], odd: [13, 13] },
  { format: 'wiegand34', even: [0, 17], odd: [17, 17] },
  { format: 'wiegand37', even: [0, 19], odd: [18, 19] },
  { format: 'wiegand37Facility', even: [0, 19], odd: [18, 19] },
] as const)('the parity bits of $format cover the published bits', ({ format, even, odd }) => {
  const { layout, masks } = cardFormats[format]
  const maskOf = (parity: string, at: number, [start, count]: readonly [number, number]) =>
    Array.from(layout, (_, place) => {
      if (place === at) return parity
      return place >= start && place < start + count ? 'X' : '.'
    }).join('')
  expect(masks).toEqual([maskOf('E', 0, even), maskOf('O', layout.length - 1, odd)])
})

const { wiegand26, wiegand37 } = cardFormats

test.each([
  { format: wiegand26, card: { facility: null, printed: '1' }, expected: { fault: 'facility_missing' } },
  { format: wiegand37, card: { facility: 1, printed: '1' }, expected: { fault: 'no_facility' } },
  { format: wiegand26, card: { facility: -1, printed: '1' }, expected: { field: 'facility', fault: 'out_of_range' } },
  { format: wiegand26, card: { facility: 1, printed: '12a' }, expected: { fault: 'not_digits' } },
  { format: wiegand26, card: { facility: 1, printed: '' }, expected: { fault: 'not_digits' } },
])('a card that the format cannot carry has no number: $expected.fault', ({ format, card, expected }) => {
  expect(encodeCard(format, card)).toMatchObject(expected)
})

test.each(['', '4711', '0412-28017', '2ec0c86', '02EC0C86', '6EC0C86', 'ZEC0C86'])(
  'a number that is no frame of 26 bits is not decoded: "%s"',
  (number) => {
    expect(decodeCard(wiegand26, number)).toEqual({ fault: 'wrong_length' })
  },
)

/** A layout of an account: masks may cover parity bits above them, fixed bits, and bits that no parity covers. */
const written = fc
  .array(fc.constantFrom('F', 'C', 'C', '0', '1'), { minLength: 8, maxLength: 56 })
  .chain((fields) => fc.record({ fields: fc.constant(['C', ...fields]), parities: fc.integer({ min: 0, max: 4 }) }))
  .chain(({ fields, parities }) => {
    const layout = ['P', 'P', 'P', 'P'].slice(0, parities).concat(fields)
    const mask = (at: number) =>
      fc.record({ kind: fc.constantFrom('E', 'O'), covers: fc.array(fc.boolean(), { minLength: 64 }) }).map((drawn) =>
        layout.map((bit, place) => {
          if (place === at) return drawn.kind
          return drawn.covers[place] === true && (bit !== 'P' || place < at) ? 'X' : '.'
        }),
      )
    return fc.tuple(...Array.from({ length: parities }, (_, at) => mask(at))).map((masks) => [layout, ...masks])
  })
  .map((lines) => lines.map((line) => line.join('')).join('\n'))
  .filter((layout) => countOf(layout.split('\n')[0] ?? '', 'F') <= 24)

const anyFormat = fc.oneof(
  fc.constantFrom<CardFormat>(...Object.values(cardFormats)),
  written.map((text) => {
    const format = parseLayout(text)
    if ('fault' in format) throw new Error(`${format.fault}: ${text}`)
    return format
  }),
)

const anyCard = anyFormat.chain((format) => {
  const below = (kind: string) => fc.bigInt(0n, 2n ** BigInt(countOf(format.layout, kind)) - 1n)
  return fc.record({
    format: fc.constant(format),
    card: fc.record({
      facility: hasFacility(format) ? below('F').map(Number) : fc.constant(null),
      printed: below('C').map(String),
    }),
  })
})

function numberOf(format: CardFormat, card: { facility: number | null; printed: string }) {
  const encoded = encodeCard(format, card)
  if ('fault' in encoded) throw new Error(encoded.fault)
  return encoded.number
}

describe('of any format', () => {
  test('decoding gives back what was encoded', () => {
    fc.assert(
      fc.property(anyCard, ({ format, card }) => {
        expect(decodeCard(format, numberOf(format, card))).toEqual(card)
      }),
    )
  })

  test('a flipped bit that parity covers an odd number of times, or that is parity, is found', () => {
    fc.assert(
      fc.property(anyCard, fc.nat(63), ({ format, card }, place) => {
        const { layout, masks } = format
        const at = place % layout.length
        const isFound = masks.some((mask) => mask[at] !== '.') || layout[at] === '0' || layout[at] === '1'
        const number = numberOf(format, card)
        const bit = 1n << BigInt(layout.length - 1 - at)
        const flipped = (BigInt(`0x${number}`) ^ bit).toString(16).toUpperCase().padStart(number.length, '0')
        expect('fault' in decodeCard(format, flipped)).toBe(isFound)
      }),
    )
  })
})
