import { catalogue, type Key, type Tree, type ValuesAt } from './catalogue.ts'
import { signInWords } from './sign-in-words.ts'
import { translation } from './translation.ts'

type SignInWords = typeof signInWords

/**
 * Every text of the console, by entity: `sites.name`. Each folder has its texts in `{folder}/{folder}.text.ts`, which adds
 * them to this interface. Those of the sign-in pages load by themselves.
 */
export interface Texts extends SignInWords {}

type Catalogue = { readonly [K in keyof Texts]: Texts[K] }

export type TextKey = Key<Catalogue>
export type ValuesOf<K extends TextKey, V> = ValuesAt<Catalogue, K, V>

/** No folder's texts are listed here: a new one is found by the name of its file, and typed by its declaration. */
const files = import.meta.glob<Readonly<Record<string, Tree>>>('../*/*.text.ts', { eager: true })
const texts = Object.fromEntries(Object.values(files).flatMap((file) => Object.entries(file)))

const words = { ...signInWords, ...texts, ...translation()?.texts }
const { text: say, templateOf: template, find } = catalogue<Catalogue>(() => words)

/**
 * A text of the console, by its key in the catalogue: `text('list.total', { count: 3 })`. Unknown keys and missing
 * values do not compile; `{{count, number}}` is written as a number of the language.
 */
export const text = say

/** A text with the names of its values still in it. */
export const templateOf = template

/** The text at a key that is known only at run time, if there is one. */
export const findText = find
