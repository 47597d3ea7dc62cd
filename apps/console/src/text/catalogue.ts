import { locale, pseudoLanguage } from './language.ts'

export type Tree = { readonly [name: string]: string | undefined | Tree }
type Leaves<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Leaves<T[K]>}` }[keyof T & string]
type At<T, K extends string> = K extends keyof T
  ? T[K]
  : K extends `${infer H}.${infer R}`
    ? H extends keyof T
      ? At<T[H], R>
      : never
    : never

type Counted<T> = Leaves<T> extends infer L ? (L extends `${infer B}_other` ? B : never) : never

/** A key of a catalogue: `login.signIn`. A text that depends on a number has the keys `x_one` and `x_other`. */
export type Key<T> = Leaves<T> | Counted<T>

type Template<T, K extends string> = K extends Leaves<T> ? At<T, K> : At<T, `${K}_other`>
type Name<P> = P extends `${infer N}, number` ? N : P
type Names<S> = S extends `${string}{{${infer P}}}${infer R}` ? Name<P> | Names<R> : never
/** The values that a text needs, of type `V`. */
export type ValuesAt<T, K extends string, V> = { readonly [N in Names<Template<T, K>> & string]: V }
type Values<T, K extends string> = Names<Template<T, K>> extends never ? [] : [values: ValuesAt<T, K, string | number>]

/** The same catalogue in another language: every text, and those that count in each plural form of the language. */
export type Translation<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : Translation<T[K]>
} & { readonly [K in CountedHere<T> as `${K}_${Intl.LDMLPluralRule}`]?: string }
type CountedHere<T> = keyof T & string extends infer K ? (K extends `${infer B}_other` ? B : never) : never

const plural = new Intl.PluralRules(locale)
/** Formats numbers in the language. */
export const decimal = new Intl.NumberFormat(locale)

const list = new Intl.ListFormat(locale, { type: 'unit' })
/** `Mon, Tue, Wed`, with the separators of the language. */
export function listOf(words: readonly string[]): string {
  return list.format(words)
}

/** A right-to-left name does not change the order of its neighbours. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`
}

/** Formats lists with a last "and": `Mon, Wed and Fri`. */
export const conjunction = new Intl.ListFormat(locale, { type: 'conjunction' })

/**
 * Makes the functions that read a catalogue of type `T`, which `words` returns at each use. Unknown keys and missing values do not
 * compile.
 */
export function catalogue<const T extends Tree>(words: () => T | Tree) {
  return { text, templateOf, find: (key: string) => shown(find(words(), key)) }

  function text<K extends Key<T>>(key: K, ...[values]: Values<T, K>): string {
    const given: Readonly<Record<string, string | number>> = values ?? {}
    return templateOf(key, given.count).replace(/\{\{(\w+)(, number)?\}\}/g, (_, name: string, asNumber?: string) => {
      const value = given[name] ?? ''
      return asNumber && typeof value === 'number' ? decimal.format(value) : String(value)
    })
  }

  /** A text with the names of its values still in it. */
  function templateOf(key: Key<T>, count?: unknown): string {
    const tree = words()
    return shown(find(tree, key) ?? find(tree, `${key}_${form(count)}`) ?? find(tree, `${key}_other`) ?? key)
  }
}

function find(words: Tree, key: string): string | undefined {
  let place: string | Tree | undefined = words
  for (const part of key.split('.')) {
    if (typeof place !== 'object') return undefined
    place = place[part]
  }
  return typeof place === 'string' ? place : undefined
}

function form(count: unknown) {
  return typeof count === 'number' ? plural.select(count) : 'other'
}

/** A pseudo-language marks every text of the catalogue, so that text from elsewhere is found. */
export function shown<S extends string | undefined>(template: S) {
  return template === undefined || pseudoLanguage === null ? template : `⟦${template}⟧`
}
