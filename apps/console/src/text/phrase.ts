import { type TextKey, templateOf, type ValuesOf } from './text.ts'

/** A piece of a sentence: plain words, a name to stress, or the name of a thing that has a screen of its own. */
export type Part = string | Strong | Thing
export type Strong = { readonly kind: 'strong'; readonly text: string }
export type Thing = { readonly kind: 'rule' | 'schedule' | 'user'; readonly id: string; readonly text: string }

export type Phrase = readonly Part[]

export function strong(text: string): Strong {
  return { kind: 'strong', text }
}

/** A text of the catalogue whose values may be stressed or lead somewhere: `phrase('why.granted', { rule })`. */
export function phrase<K extends TextKey>(key: K, values: ValuesOf<K, Part>): Phrase {
  const given: Readonly<Record<string, Part | undefined>> = values
  return templateOf(key)
    .split(/(\{\{\w+(?:, number)?\}\})/)
    .map((piece) => {
      const name = /^\{\{(\w+)/.exec(piece)?.[1]
      return name === undefined ? piece : (given[name] ?? '')
    })
    .filter((piece) => piece !== '')
}

/** The words alone. */
export function plain(parts: Phrase): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')
}
