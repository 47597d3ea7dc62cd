import { catalogue, type Key, type Tree, type ValuesAt } from './catalogue.ts'
import { signInWords } from './sign-in-words.ts'

type SignInWords = typeof signInWords

/**
 * Every text of the console, by entity: `sites.name`. Each folder keeps its texts in `{folder}/{folder}.text.ts`, which adds
 * them to this interface. Those of the sign-in pages load by themselves.
 */
export interface Texts extends SignInWords {}

type Catalogue = { readonly [K in keyof Texts]: Texts[K] }

export type TextKey = Key<Catalogue>
export type ValuesOf<K extends TextKey, V> = ValuesAt<Catalogue, K, V>

/** No folder's texts are named here: a new one is found by the name of its file, and typed by what it declares. */
const files = import.meta.glob<Readonly<Record<string, Tree>>>('../*/*.text.ts', { eager: true })
const texts = Object.fromEntries(Object.values(files).flatMap((file) => Object.entries(file)))

const { text: say, templateOf: template, find } = catalogue<Catalogue>({ ...signInWords, ...texts })

/**
 * A text of the console, by its place in the catalogue: `text('list.total', { count: 3 })`. Unknown places and missing
 * values do not compile; `{{count, number}}` is written as a number of the language.
 */
export const text = say

/** A text with the names of its values still in it. */
export const templateOf = template

/** The text at a place that is known only at run time, if there is one. */
export const findText = find
