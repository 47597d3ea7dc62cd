import { isErrorCode } from '../errors.ts'
import { isFieldCode } from './field-codes.ts'
import type { ItemCount, Parameters } from './parameters.ts'
import type { Problem, ProblemCode } from './problem.ts'

/** A code, or the variant of a code that is used when a parameter is present. */
export type Wording = ProblemCode | 'taken_by' | 'not_found_in'

/** The texts of a language for every problem. */
export type ProblemWords = {
  locale: string
  /** Sentences with `{{parameters}}`. */
  sentences: Readonly<Record<Wording, string>>
  /** Advice for a stronger password. */
  advice: Readonly<Record<string, string>>
  /** The nouns for items of a collection, by plural form; other collections use their name. */
  items: Readonly<Record<string, { readonly other: string; readonly one?: string }>>
  /** Items that the user may not see. */
  hiddenItems: string
  /** The phrase for more than `{{items}}`, a number with its noun. */
  moreThan: string
}

/** The sentence for a problem; that of `invalid` for an unknown code. */
export function wordProblem(words: ProblemWords, { code, parameters }: Problem): string {
  return words.sentences[wordingOf(code, parameters)]
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => valueText(words, { name, value: parameters[name] }))
    .trim()
}

function wordingOf(code: string, parameters: Problem['parameters']): Wording {
  if (code === 'taken' && parameters['holder'] !== undefined) return 'taken_by'
  if (code === 'not_found' && parameters['collection'] !== undefined) return 'not_found_in'
  return isErrorCode(code) || isFieldCode(code) ? code : 'invalid'
}

type Named = { name: string; value: Parameters[string] | undefined }

function valueText(words: ProblemWords, { name, value }: Named): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return years.has(name) ? String(value) : value.toLocaleString(words.locale)
  const texts = value.map((each) => (typeof each === 'string' ? each : itemsText(words, each)))
  if (name === 'advice') return texts.map((key) => words.advice[key] ?? '').join(' ')
  return new Intl.ListFormat(words.locale, { type: 'conjunction' }).format(texts)
}

/** Parameters that are years, which have no thousands separator. */
const years = new Set(['first', 'last'])

function itemsText(words: ProblemWords, { collection, count, isMore }: ItemCount): string {
  if (collection === null) return words.hiddenItems
  const forms = words.items[collection] ?? { other: `{{count}} ${spaced(collection)}` }
  const form = count === 1 && !isMore ? (forms.one ?? forms.other) : forms.other
  if (count === null) return form.replace('{{count}}', '').trim()
  const items = form.replace('{{count}}', count.toLocaleString(words.locale))
  return isMore ? words.moreThan.replace('{{items}}', items) : items
}

/** Converts `doorGroups` to `door groups`. */
function spaced(collection: string) {
  return collection.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
