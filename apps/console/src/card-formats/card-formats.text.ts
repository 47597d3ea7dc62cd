export const cardFormats = {
  title: 'Card formats',
  one: 'Card format',
  add: 'Add card format',
  name: 'Name',
  layout: 'Layout',
  layoutHint:
    'As in the data sheet. First line: P parity, F facility code, C card number, 0 and 1 fixed bits. Then a mask for each parity bit: E even or O odd at its place, X at the bits that it covers, dots at the others. It cannot be changed later. The empty field shows Wiegand 26.',
  layoutExample: 'PFFFFFFFFCCCCCCCCCCCCCCCCP\nEXXXXXXXXXXXX.............\n.............XXXXXXXXXXXXO',
  bits_one: '{{count, number}} bit',
  bits_other: '{{count, number}} bits',
  empty: 'No card formats of your own yet',
  emptyHint: 'Wiegand cards of 26, 34 and 37 bits need no format here. Add the formats of other cards.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    cardFormats: typeof cardFormats
  }
}
