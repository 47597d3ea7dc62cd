/**
 * How a Wiegand card carries a facility code and a number. `layout` names its bits in the order in which they are read: `F`
 * of the facility code, `C` of the number (the most significant first), `P` of parity, or a fixed `0` or `1`. Each
 * parity bit has a mask below it: `E` (even) or `O` (odd) at the bit itself, `X` at the bits that it also covers, and `.` at
 * the others. Data sheets of cards print layouts in this form.
 */
export type CardFormat = { readonly layout: string; readonly masks: readonly string[] }

/** The formats that most cards have. Sources: HID formats H10301, H10306, H10302 and H10304. */
export const cardFormats = {
  wiegand26: {
    layout: 'PFFFFFFFFCCCCCCCCCCCCCCCCP',
    masks: ['EXXXXXXXXXXXX.............', '.............XXXXXXXXXXXXO'],
  },
  wiegand34: {
    layout: 'PFFFFFFFFFFFFFFFFCCCCCCCCCCCCCCCCP',
    masks: ['EXXXXXXXXXXXXXXXX.................', '.................XXXXXXXXXXXXXXXXO'],
  },
  wiegand37: {
    layout: 'PCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCP',
    masks: ['EXXXXXXXXXXXXXXXXXX..................', '..................XXXXXXXXXXXXXXXXXXO'],
  },
  wiegand37Facility: {
    layout: 'PFFFFFFFFFFFFFFFFCCCCCCCCCCCCCCCCCCCP',
    masks: ['EXXXXXXXXXXXXXXXXXX..................', '..................XXXXXXXXXXXXXXXXXXO'],
  },
} as const satisfies Record<string, CardFormat>

export const cardFormatNames = ['wiegand26', 'wiegand34', 'wiegand37', 'wiegand37Facility'] as const

/** The format of this name; undefined for other texts. */
export function namedCardFormat(name: string): CardFormat | undefined {
  const known = cardFormatNames.find((each) => each === name)
  return known && cardFormats[known]
}

/** What is printed on a card. `facility` is null in formats without a facility code; `printed` is a text of digits. */
type PrintedCard = { readonly facility: number | null; readonly printed: string }

export type EncodingFault =
  | { readonly field: 'facility'; readonly fault: 'facility_missing' | 'no_facility' }
  | { readonly field: 'facility' | 'printed'; readonly fault: 'out_of_range'; readonly maximum: string }
  | { readonly field: 'printed'; readonly fault: 'not_digits' }

/** The number that a reader reads from a card, as upper-case hexadecimal digits of all its bits, or why there is none. */
export function encodeCard(format: CardFormat, card: PrintedCard): { number: string } | EncodingFault {
  const fault = encodingFault(format, card)
  if (fault !== undefined) return fault
  const bits = format.layout.split('')
  fill(bits, 'F', BigInt(card.facility ?? 0))
  fill(bits, 'C', BigInt(card.printed))
  for (const mask of format.masks) {
    const isEven = mask.includes('E')
    bits[mask.search(/[EO]/)] = ones(bits, mask) % 2 === (isEven ? 0 : 1) ? '0' : '1'
  }
  return { number: hexOf(bits) }
}

type DecodingFault = { readonly fault: 'wrong_length' | 'wrong_parity' | 'wrong_fixed_bit' }

/** What is printed on the card from which a reader has read this number, or why it is no card of the format. */
export function decodeCard(format: CardFormat, number: string): PrintedCard | DecodingFault {
  const { layout, masks } = format
  if (!/^[0-9A-F]+$/.test(number) || number.length !== digitsOf(layout)) return { fault: 'wrong_length' }
  const text = BigInt(`0x${number}`).toString(2).padStart(layout.length, '0')
  if (text.length > layout.length) return { fault: 'wrong_length' }
  const bits = text.split('')
  if (bits.some((bit, at) => isFixed(layout[at]) && layout[at] !== bit)) return { fault: 'wrong_fixed_bit' }
  const isRight = masks.every((mask) => {
    const counted = ones(bits, mask) + Number(bits[mask.search(/[EO]/)])
    return counted % 2 === (mask.includes('E') ? 0 : 1)
  })
  if (!isRight) return { fault: 'wrong_parity' }
  const facility = hasFacility(format) ? Number(valueOf(bits, layout, 'F')) : null
  return { facility, printed: valueOf(bits, layout, 'C').toString() }
}

export function hasFacility({ layout }: CardFormat): boolean {
  return layout.includes('F')
}

function encodingFault(format: CardFormat, { facility, printed }: PrintedCard): EncodingFault | undefined {
  if (facility === null && hasFacility(format)) return { field: 'facility', fault: 'facility_missing' }
  if (facility !== null && !hasFacility(format)) return { field: 'facility', fault: 'no_facility' }
  const [maxFacility, maxNumber] = [maximumOf(format, 'F'), maximumOf(format, 'C')]
  if (facility !== null && (facility < 0 || BigInt(facility) > maxFacility)) {
    return { field: 'facility', fault: 'out_of_range', maximum: maxFacility.toString() }
  }
  if (!/^\d{1,20}$/.test(printed)) return { field: 'printed', fault: 'not_digits' }
  return BigInt(printed) > maxNumber
    ? { field: 'printed', fault: 'out_of_range', maximum: maxNumber.toString() }
    : undefined
}

type Field = 'F' | 'C'

function maximumOf({ layout }: CardFormat, field: Field) {
  return 2n ** BigInt(countOf(layout, field)) - 1n
}

export function countOf(layout: string, kind: string): number {
  return layout.split(kind).length - 1
}

function fill(bits: string[], field: Field, value: bigint) {
  const places = bits.flatMap((bit, at) => (bit === field ? [at] : []))
  const digits = value.toString(2).padStart(places.length, '0')
  for (const [index, at] of places.entries()) bits[at] = digits[index] ?? '0'
}

function valueOf(bits: readonly string[], layout: string, field: Field) {
  return BigInt(`0b0${bits.filter((_, at) => layout[at] === field).join('')}`)
}

function ones(bits: readonly string[], mask: string) {
  return bits.filter((bit, at) => mask[at] === 'X' && bit === '1').length
}

function isFixed(bit: string | undefined) {
  return bit === '0' || bit === '1'
}

function hexOf(bits: readonly string[]) {
  return BigInt(`0b${bits.join('')}`)
    .toString(16)
    .toUpperCase()
    .padStart(digitsOf(bits), '0')
}

function digitsOf({ length }: { readonly length: number }) {
  return Math.ceil(length / 4)
}
