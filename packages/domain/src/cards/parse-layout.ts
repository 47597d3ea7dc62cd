import { type CardFormat, countOf } from './card-format.ts'

export type LayoutFault =
  | 'invalid_layout'
  | 'invalid_mask'
  | 'mask_without_parity'
  | 'parity_without_mask'
  | 'mask_before_parity'

/** The shortest and the longest frame of a card. */
const bits = { fewest: 8, most: 64 } as const
const maxFacilityBits = 24

/**
 * Reads the format of a card as a data sheet prints it: a line of its bits, then a line for the mask of each parity bit.
 * A mask may cover the parity bits of the masks above it.
 */
export function parseLayout(written: string): CardFormat | { fault: LayoutFault } {
  const [layout = '', ...masks] = written
    .toUpperCase()
    .split(/\s+/)
    .filter((line) => line !== '')
  const fault = faultOfBits(layout) ?? faultOfMasks(layout, masks)
  return fault === undefined ? { layout, masks } : { fault }
}

function faultOfBits(layout: string): LayoutFault | undefined {
  const { length } = layout
  const isLayout = /^[PFC01]+$/.test(layout) && length >= bits.fewest && length <= bits.most && layout.includes('C')
  return isLayout && countOf(layout, 'F') <= maxFacilityBits ? undefined : 'invalid_layout'
}

function faultOfMasks(layout: string, masks: readonly string[]): LayoutFault | undefined {
  const computed = new Set<number>()
  for (const mask of masks) {
    if (!/^[EOX.]+$/.test(mask) || mask.length !== layout.length) return 'invalid_mask'
    const at = mask.search(/[EO]/)
    const isAtParity = layout[at] === 'P' && !computed.has(at) && mask.match(/[EO]/g)?.length === 1
    if (!isAtParity) return 'mask_without_parity'
    if (mask.split('').some((covers, bit) => covers === 'X' && layout[bit] === 'P' && !computed.has(bit))) {
      return 'mask_before_parity'
    }
    computed.add(at)
  }
  return computed.size === countOf(layout, 'P') ? undefined : 'parity_without_mask'
}
