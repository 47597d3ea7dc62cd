import { expect, test } from 'vitest'
import { cardFormats } from './card-format.ts'
import { parseLayout } from './parse-layout.ts'

test('reads a layout as a data sheet prints it', () => {
  const printed = `
    pffffffffccccccccccccccccp
    exxxxxxxxxxxx.............
    .............xxxxxxxxxxxxo`
  expect(parseLayout(printed)).toEqual(cardFormats.wiegand26)
})

test('a mask may cover the parity bits of masks above it', () => {
  const layout = ['PCCCCCCP', 'EXXX....', 'XXXXXXXO']
  expect(parseLayout(layout.join('\n'))).toEqual({ layout: layout[0], masks: layout.slice(1) })
  expect(parseLayout(['PCCCCCCP', 'XXXXXXXO', 'EXXX....'].join('\n'))).toEqual({ fault: 'mask_before_parity' })
})

test.each([
  { fault: 'invalid_layout', lines: ['PFFFCCCQ'] },
  { fault: 'invalid_layout', lines: [''] },
  { fault: 'invalid_layout', lines: ['CCCCCCC'] },
  { fault: 'invalid_layout', lines: ['C'.repeat(65)] },
  { fault: 'invalid_layout', lines: ['FFFFFFFF'] },
  { fault: 'invalid_layout', lines: ['F'.repeat(25) + 'C'] },
  { fault: 'invalid_mask', lines: ['PCCCCCCC', 'EXXXXXX?'] },
  { fault: 'invalid_mask', lines: ['PCCCCCCC', 'EXXXXXX'] },
  { fault: 'mask_without_parity', lines: ['PCCCCCCC', 'XEXXXXXX'] },
  { fault: 'mask_without_parity', lines: ['PCCCCCCC', 'EXXXXXXO'] },
  { fault: 'mask_without_parity', lines: ['PCCCCCCC', 'EXXXXXXX', 'OXXXXXXX'] },
  { fault: 'parity_without_mask', lines: ['PCCCCCCP', 'EXXX....'] },
] as const)('refuses a layout: $fault, $lines', ({ fault, lines }) => {
  expect(parseLayout(lines.join('\n'))).toEqual({ fault })
})
