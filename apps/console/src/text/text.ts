import { catalogue, type Key, type ValuesAt } from './catalogue.ts'
import { english } from './english.ts'

export type TextKey = Key<typeof english>
export type ValuesOf<K extends TextKey, V> = ValuesAt<typeof english, K, V>

const { text: say, templateOf: template } = catalogue(english)

/**
 * The words of the console, by their place in the catalogue: `text('list.total', { count: 3 })`. Unknown places and missing
 * values do not compile; `{{count, number}}` is written as a number of the language.
 */
export const text = say

/** A text with the names of its values still in it. */
export const templateOf = template
