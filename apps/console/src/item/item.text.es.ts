import type { Translation } from '../text/catalogue.ts'
import type * as english from './item.text.ts'

export const value: Translation<typeof english.value> = {
  yes: 'Sí',
  no: 'No',
  entries_one: '{{count, number}} elemento',
  entries_other: '{{count, number}} elementos',
}
