import { type TextKey, templateOf, type ValuesOf } from './text.ts'

/** A part of a sentence: plain text, an emphasised name, or the name of an item with a screen of its own. */
export type Part = string | Strong | Thing
export type Strong = { readonly kind: 'strong'; readonly text: string }
export type Thing = { readonly kind: 'rule' | 'schedule' | 'user'; readonly id: string; readonly text: string }

export type Phrase = readonly Part[]

export function strong(text: string): Strong {
  return { kind: 'strong', text }
}

/** A text of the catalogue whose values may be emphasised or be links: `phrase('why.granted', { rule })`. */
export function phrase<K extends TextKey>(key: K, values: ValuesOf<K, Part>): Phrase {
  return piecesOf<K, Part>(key, values).filter((piece) => piece !== '')
}

/** A text of the catalogue in pieces, with its values in their places. */
export function piecesOf<K extends TextKey, V>(key: K, values: ValuesOf<K, V>): (V | string)[] {
  const given: Readonly<Record<string, V | undefined>> = values
  return templateOf(key)
    .split(/(\{\{\w+(?:, number)?\}\})/)
    .map((piece) => {
      const name = /^\{\{(\w+)/.exec(piece)?.[1]
      return name === undefined ? piece : (given[name] ?? '')
    })
}

/** The text alone. */
export function plain(parts: Phrase): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')
}
