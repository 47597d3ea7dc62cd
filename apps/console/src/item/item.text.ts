export const value = {
  yes: 'Yes',
  no: 'No',
  entries_one: '{{count, number}} entry',
  entries_other: '{{count, number}} entries',
} as const

declare module '../text/text.ts' {
  interface Texts {
    value: typeof value
  }
}
