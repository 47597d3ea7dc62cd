export type Tree = { readonly [name: string]: string | Tree }
type Leaves<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Leaves<T[K]>}` }[keyof T & string]
type At<T, K extends string> = K extends keyof T
  ? T[K]
  : K extends `${infer H}.${infer R}`
    ? H extends keyof T
      ? At<T[H], R>
      : never
    : never

type Counted<T> = Leaves<T> extends infer L ? (L extends `${infer B}_other` ? B : never) : never

/** A place in a catalogue: `login.signIn`. A text that depends on a number stands there as `x_one` and `x_other`. */
export type Key<T> = Leaves<T> | Counted<T>

type Template<T, K extends string> = K extends Leaves<T> ? At<T, K> : At<T, `${K}_other`>
type Name<P> = P extends `${infer N}, number` ? N : P
type Names<S> = S extends `${string}{{${infer P}}}${infer R}` ? Name<P> | Names<R> : never
/** The values that a text needs, of type `V`. */
export type ValuesAt<T, K extends string, V> = { readonly [N in Names<Template<T, K>> & string]: V }
type Values<T, K extends string> = Names<Template<T, K>> extends never ? [] : [values: ValuesAt<T, K, string | number>]

const locale = 'en'
const plural = new Intl.PluralRules(locale)
/** Writes numbers in the way of the language. */
export const decimal = new Intl.NumberFormat(locale)

/** Makes the functions that read a catalogue of type `T`. Unknown places and missing values do not compile. */
export function catalogue<const T extends Tree>(words: T | Tree) {
  return { text, templateOf, find: (key: string) => find(words, key) }

  function text<K extends Key<T>>(key: K, ...[values]: Values<T, K>): string {
    const given: Readonly<Record<string, string | number>> = values ?? {}
    return templateOf(key, given.count).replace(/\{\{(\w+)(, number)?\}\}/g, (_, name: string, asNumber?: string) => {
      const value = given[name] ?? ''
      return asNumber && typeof value === 'number' ? decimal.format(value) : String(value)
    })
  }

  /** A text with the names of its values still in it. */
  function templateOf(key: Key<T>, count?: unknown): string {
    return find(words, key) ?? find(words, `${key}_${form(count)}`) ?? find(words, `${key}_other`) ?? key
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
  return typeof count === 'number' && plural.select(count) === 'one' ? 'one' : 'other'
}
